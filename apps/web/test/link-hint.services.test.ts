import { callerOf } from "@kb/core/testing";
import { inspect, timeout } from "@kb/testing/chromium";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { caretRead, openEditor } from "./editor-setting.ts";
import { settled, started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();
const { world } = site.setting;
const editor = callerOf(world, world.people.editor);
const admin = callerOf(world, world.people.admin);
const absent = "01890000-0000-7000-8000-000000000000";

const hintOf = (page: Page): Locator => page.getByRole("tooltip");
const linkTo = (page: Page, name: string): Locator => page.getByRole("article").getByRole("link", { name });

/** Returns the documents of which the page asks for title and place from now on. */
function asked(page: Page): string[] {
  const ids: string[] = [];
  page.on("request", (request) => {
    const body = request.postData() ?? "";
    if (request.url().endsWith("/api/documents.view") && body.includes('"prefetch":true')) ids.push(body);
  });
  return ids;
}

describe("a link to a document", async () => {
  const collectionId = world.collections.open;
  const above = await editor.create({ title: "Handbook", text: "", publish: true, collectionId });
  const parentDocumentId = above.id;
  const target = await editor.create({
    title: "Plan B",
    text: "Its text.",
    publish: true,
    collectionId,
    parentDocumentId,
  });
  const secret = await admin.create({
    title: "Secret",
    text: "",
    publish: true,
    collectionId: world.collections.vault,
  });
  const text = [
    `See [the plan](/documents/${target.id}), [a secret](/documents/${secret.id})`,
    `and [nothing](/documents/${absent}).\n\n[Outside](https://example.com/documents/${target.id})`,
  ].join(" ");
  const source = await editor.create({ title: "Source", text, publish: true, collectionId });

  const reading = (use: (page: Page) => Promise<void>): Promise<void> =>
    site.withPage(world.people.editor, { possible: [/404/] }, async (page) => {
      await page.goto(`${site.origin}/documents/${source.id}`);
      await started(page);
      await settled(page);
      await use(page);
    });

  it(
    "shows its title and its place under the mouse, stays while the mouse is on them, and asks once",
    {
      meta: { proves: ["web.links.shown"] },
      timeout,
    },
    () =>
      reading(async (page) => {
        const ids = asked(page);
        await linkTo(page, "the plan").hover();
        await hintOf(page).getByText("Plan B").waitFor();
        expect(await hintOf(page).evaluate((node) => [...node.children].map(({ textContent }) => textContent))).toEqual(
          ["Plan B", "\u2068Open\u2069 / \u2068Handbook\u2069"],
        );
        expect(await linkTo(page, "the plan").getAttribute("aria-describedby")).toBe(
          await hintOf(page).getAttribute("id"),
        );
        await inspect(page, "link-hint", { width: 1280, scheme: "light" });
        await hintOf(page).hover();
        await page.waitForTimeout(400);
        expect(await hintOf(page).isVisible()).toBe(true);
        await page.getByRole("heading", { name: "Source" }).hover();
        await hintOf(page).waitFor({ state: "detached" });
        await linkTo(page, "the plan").hover();
        await hintOf(page).waitFor();
        expect(ids).toHaveLength(1);
      }),
  );

  it(
    "shows nothing of a link that the mouse has left before the answer came",
    {
      meta: { proves: ["web.links.shown"] },
      timeout,
    },
    () =>
      reading(async (page) => {
        const asking = Promise.withResolvers<void>();
        const left = Promise.withResolvers<void>();
        await page.route("**/api/documents.view", async (route) => {
          asking.resolve();
          await left.promise;
          await route.continue();
        });
        await linkTo(page, "the plan").hover();
        await asking.promise;
        await page.getByRole("heading", { name: "Source" }).hover();
        const answer = page.waitForResponse(/documents\.view$/);
        left.resolve();
        await (await answer).finished();
        await page.waitForTimeout(200);
        expect(await hintOf(page).count()).toBe(0);
        expect(await linkTo(page, "the plan").getAttribute("aria-describedby")).toBeNull();
      }),
  );

  it(
    "shows them with the keyboard's focus, and Escape takes them away",
    {
      meta: { proves: ["web.links.shown"] },
      timeout,
    },
    () =>
      reading(async (page) => {
        await page.getByRole("article").evaluate((node) => {
          node.tabIndex = -1;
          node.focus();
        });
        await page.keyboard.press("Tab");
        await hintOf(page).getByText("Plan B").waitFor();
        await page.keyboard.press("Escape");
        await hintOf(page).waitFor({ state: "detached" });
        expect(await linkTo(page, "the plan").evaluate((node) => node === document.activeElement)).toBe(true);
        expect(await linkTo(page, "the plan").getAttribute("aria-describedby")).toBeNull();
      }),
  );

  it(
    "shows nothing of a document that the reader may not see, as of one that does not exist, or of another site",
    {
      meta: { proves: ["web.links.shown"] },
      timeout,
    },
    () =>
      reading(async (page) => {
        const ids = asked(page);
        for (const name of ["a secret", "nothing"]) {
          await linkTo(page, name).hover();
          await expect.poll(() => ids.length).toBe(name === "a secret" ? 1 : 2);
          await settled(page);
          expect(await hintOf(page).count(), name).toBe(0);
        }
        await linkTo(page, "Outside").hover();
        await page.waitForTimeout(600);
        expect(ids).toHaveLength(2);
        expect(await hintOf(page).count()).toBe(0);
        await linkTo(page, "the plan").hover();
        await hintOf(page).getByText("Plan B").waitFor();
      }),
  );

  it(
    "shows them at the caret of the editor, until something is written",
    {
      meta: { proves: ["web.links.shown"] },
      timeout,
    },
    () =>
      site.withPage(world.people.editor, { possible: [/404/] }, async (page) => {
        const field = await openEditor(site, page, source.id);
        await field.getByRole("link", { name: "Outside" }).click();
        await caretRead(page);
        await page.keyboard.press("Control+Home");
        for (let key = 0; key < 7; key++) await page.keyboard.press("ArrowRight");
        await hintOf(page).getByText("Plan B").waitFor();
        await page.keyboard.type("x");
        await hintOf(page).waitFor({ state: "detached" });
        expect(await field.getByRole("link", { name: /^t.*plan$/ }).getAttribute("aria-describedby")).toBeNull();
      }),
  );
});
