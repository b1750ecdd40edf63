import { operations } from "@kb/core";
import { callerOf, groupIdsOf, sessionCallerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { chosen, started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();
const { people, collections } = site.setting.world;
const absent = "018f0000-0000-7000-8000-000000000000";

const open = async (page: Page, search: string): Promise<void> => {
  await page.goto(`${site.origin}/new${search}`);
  await started(page);
};
const create = (page: Page) => page.getByRole("main").getByRole("button", { name: "Create document" });
/** Returns the titles of the drafts of the editor. */
const drafts = async (): Promise<readonly string[]> => {
  const session = await sessionCallerOf(site.setting.world, people.editor);
  return (await session.run(operations.listRecent, { lists: ["drafts"], limit: 50 })).drafts?.map(titleOf) ?? [];
};
const titleOf = ({ title }: { readonly title: string }): string => title;
/** Waits for a document to write in, which is not the page that created it. Returns its id. */
async function written(page: Page): Promise<string> {
  await page.locator(".ProseMirror").waitFor();
  return /\/documents\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? "";
}

it("Enter in the title creates a document at the place in the address, once, and opens it for writing", {
  meta: { proves: ["web.new"] },
  timeout,
}, async () => {
  const parent = await callerOf(site.setting.world, people.editor).create({
    title: "Runbooks",
    collectionId: collections.open,
    publish: true,
  });
  await site.withPage(people.editor, {}, async (page) => {
    await open(page, `?parent=${parent.id}`);
    await page.getByRole("main").getByText("Runbooks", { exact: true }).waitFor();
    expect(await drafts()).not.toContain("Restore a backup");
    await page.getByRole("textbox", { name: "Title (optional)" }).fill("Restore a backup");
    await page.keyboard.press("Enter");
    await page.keyboard.type("At once");
    const id = await written(page);
    await page.locator(".ProseMirror", { hasText: "At once" }).waitFor();
    const made = await callerOf(site.setting.world, people.editor).run(operations.getDocument, { id });
    expect(made).toMatchObject({ title: "Restore a backup", parentDocumentId: parent.id, publishedAt: null });
    expect((await drafts()).filter((title) => title === "Restore a backup")).toHaveLength(1);
    await page.goBack();
    await create(page).waitFor();
    expect(await page.getByRole("textbox", { name: "Title (optional)" }).inputValue()).toBe("Restore a backup");
    expect((await drafts()).filter((title) => title === "Restore a backup")).toHaveLength(1);
  });
});

it("without a place that is open, the button asks for one and then creates the document there", {
  meta: { proves: ["web.new"] },
  timeout,
}, async () => {
  for (const search of ["", `?collection=${absent}`]) {
    await site.withPage(people.editor, {}, async (page) => {
      await open(page, search);
      const title = `From ${search === "" ? "nowhere" : "a place that is gone"}`;
      await page.getByRole("textbox", { name: "Title (optional)" }).fill(title);
      await create(page).press("Enter");
      await page.locator("[role=dialog] input:focus").waitFor();
      await page.keyboard.type("Open");
      await chosen(page, "Open");
      await page.keyboard.press("Enter");
      const id = await written(page);
      const made = await callerOf(site.setting.world, people.editor).run(operations.getDocument, { id });
      expect(made).toMatchObject({ title, collectionId: collections.open });
    });
  }
});

it("another place stands in the address, which a reload keeps", {
  meta: { proves: ["web.new"] },
  timeout,
}, async () => {
  const vault = await callerOf(site.setting.world, people.admin).create({
    title: "Below the vault",
    collectionId: collections.vault,
    publish: true,
  });
  await site.withPage(people.admin, {}, async (page) => {
    await open(page, `?collection=${collections.open}`);
    await page.getByRole("textbox", { name: "Title (optional)" }).fill("Typed before");
    await page.getByRole("button", { name: "Choose another place" }).press("Enter");
    await page.locator("[role=dialog] input:focus").waitFor();
    await page.keyboard.type("Vault");
    await chosen(page, "Vault");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/new?collection=${collections.vault}`);
    await page.locator("button:focus", { hasText: "Choose another place" }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator("[role=dialog] input:focus").waitFor();
    await page.keyboard.type("Below the vault");
    await chosen(page, "Below the vault");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/new?collection=${collections.vault}&parent=${vault.id}`);
    await page.getByRole("main").getByText("Below the vault", { exact: true }).waitFor();
    await page.locator("button:focus", { hasText: "Choose another place" }).waitFor();
    await page.getByRole("link", { name: "Search", exact: true }).click();
    await page.waitForURL("**/search**");
    await page.goBack();
    await page.getByRole("main").getByText("Below the vault", { exact: true }).waitFor();
    expect(await page.getByRole("textbox", { name: "Title (optional)" }).inputValue()).toBe("Typed before");
    await page.reload();
    await page.getByRole("main").getByText("Below the vault", { exact: true }).waitFor();
  });
});

it("a link of a text to a new document opens its page in the app", {
  meta: { proves: ["web.new"] },
  timeout,
}, async () => {
  const { world } = site.setting;
  const { id } = await callerOf(world, people.editor).create({
    title: "How to add a runbook",
    text: `[Add one](/new?collection=${collections.open})`,
    collectionId: collections.open,
    publish: true,
  });
  await site.withPage(people.editor, {}, async (page) => {
    await page.goto(`${site.origin}/documents/${id}`);
    await started(page);
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    await page.getByRole("link", { name: "Add one" }).click();
    await page.locator("input[name=title]:focus").waitFor();
    expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
    await create(page).waitFor();
  });
});

it("a title that was typed stays where the last right to write ends, and a document can be created once there is one again", {
  meta: { proves: ["web.new"] },
  timeout,
}, async () => {
  const { world } = site.setting;
  const boss = await sessionCallerOf(world, people.admin);
  const groups = await groupIdsOf(world);
  const join = (name: "editors" | "viewers") =>
    boss.run(operations.setUserGroups, { id: people.editor.id, groupIds: [groups[name] ?? ""] });
  await site.withPage(people.editor, { possible: [/40[134] .*/] }, async (page) => {
    await open(page, `?collection=${collections.open}`);
    const title = page.getByRole("textbox", { name: "Title (optional)" });
    await title.fill("Half a title");
    await create(page).focus();
    await join("viewers");
    await page.getByRole("status").getByText("There is no collection in which you may write.").waitFor();
    await page.locator("button:focus", { hasText: "Create document" }).waitFor();
    expect(await page.getByRole("button", { name: "Choose another place" }).count()).toBe(0);
    expect(await title.inputValue()).toBe("Half a title");
    expect(await create(page).isDisabled()).toBe(true);
    await join("editors");
    await page.getByText("There is no collection in which you may write.").waitFor({ state: "detached" });
    expect(await title.inputValue()).toBe("Half a title");
    await create(page).press("Enter");
    const id = await written(page);
    const made = await callerOf(world, people.editor).run(operations.getDocument, { id });
    expect(made.title).toBe("Half a title");
  });
});
