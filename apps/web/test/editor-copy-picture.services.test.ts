import { inspect, timeout } from "@kb/testing/chromium";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import {
  createDocument,
  expectSaved,
  markdownOf,
  openEditor,
  toStart,
  type Writing,
  whileAnswering,
} from "./editor-setting.ts";
import { picture } from "./screens.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const first = "https://pictures.test/first.gif";
const second = "https://pictures.test/second.gif";
const copied = /^(.*)!\[Dot\]\(http:\/\/127\.0\.0\.1:\d+\/files\/[\w-]+\/first\.gif\)\n$/s;

describe("a copy of a picture from another site, in Chromium", async () => {
  const site = await siteOfSuite();

  /** Opens a document for writing, in which a picture of another site is selected. */
  const editing = (id: string, use: Writing, options: { expected?: readonly RegExp[] } = {}) =>
    site.withPage(site.setting.world.people.editor, options, async (page) => {
      await page.route("https://pictures.test/*", (route) =>
        route.fulfill({ contentType: "image/gif", body: picture }),
      );
      await use(page, await openEditor(site, page, id));
    });
  const copyButton = (page: Page): Locator => page.getByRole("button", { name: "Save a copy here" });
  /** Holds the answer of the service until the returned function is called. */
  const hold = async (page: Page): Promise<() => void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route("**/api/attachments.copy", async (route) => {
      await promise;
      await route.continue();
    });
    return resolve;
  };

  it("takes the place of the picture while its writer writes elsewhere, and one undo brings the other address back", {
    meta: { proves: ["web.editor.copy-picture"] },
    timeout,
  }, async () => {
    const id = await createDocument(site, "Copied", `Above\n\n![Dot](${first})\n`);
    await editing(id, async (page, editor) => {
      await editor.locator("img[src]").click();
      const release = await hold(page);
      await copyButton(page).click();
      await page.getByRole("status").getByText("Copying the picture…").waitFor();
      await inspect(page, "editor-copy-picture", { width: 1280, scheme: "light" });
      await toStart(page);
      await page.keyboard.type("Far ");
      release();
      await page.getByText("The picture is a file of this document now.").first().waitFor();
      await expect.poll(() => markdownOf(site, id)).toMatch(copied);
      expect(copied.exec(await markdownOf(site, id))?.[1]).toBe("Far Above\n\n");
      await editor.locator("img[src]").click();
      await page.getByRole("textbox", { name: "Address of the picture" }).waitFor();
      expect(await copyButton(page).count()).toBe(0);
      await page.keyboard.press("Control+z");
      await expectSaved(site, page, id, `Far Above\n\n![Dot](${first})\n`);
    });
  });

  it("leaves the picture alone if somebody changed its address meanwhile, says so, and keeps no copy", {
    meta: { proves: ["web.editor.copy-picture", "web.editor.together"] },
    timeout,
  }, async () => {
    const id = await createDocument(site, "Changed", `![Dot](${first})\n`);
    await editing(id, async (page, editor) => {
      await editor.locator("img[src]").click();
      const release = await hold(page);
      await copyButton(page).click();
      await page.getByRole("status").getByText("Copying the picture…").waitFor();
      const address = page.getByRole("textbox", { name: "Address of the picture" });
      await address.fill(second);
      await address.press("Enter");
      await expectSaved(site, page, id, `![Dot](${second})\n`);
      release();
      await page.getByText("The picture was changed meanwhile").first().waitFor();
      const { teamId, service } = site.setting.world;
      expect(await service.database.client.attachment.count({ where: { teamId, status: "deleted" } })).toBe(1);
      expect(await service.database.client.attachment.count({ where: { teamId, documentId: id } })).toBe(0);
      await expectSaved(site, page, id, `![Dot](${second})\n`);
    });
  });

  it.each([
    [
      400,
      { code: "validation_error", details: [{ path: "url", message: "", reason: "refused" }] },
      "not on the public",
    ],
    [400, { code: "validation_error", details: [{ path: "url", message: "", reason: "timeout" }] }, "did not answer"],
    [
      400,
      { code: "validation_error", details: [{ path: "url", message: "", reason: "status" }] },
      "refused to send it",
    ],
    [413, { code: "payload_too_large" }, "it is too large"],
    [413, { code: "payload_too_large", details: [{ path: "quota", message: "" }] }, "The team uses all."],
    [415, { code: "unsupported_media_type" }, "other than a picture"],
    [429, { code: "rate_limited" }, "Too many requests"],
  ])(
    "says why it failed: %i, %j",
    { meta: { proves: ["web.editor.copy-picture"] }, timeout },
    async (status, body, said) => {
      const id = await createDocument(site, "Failed", `![Dot](${first})\n`);
      await editing(
        id,
        async (page, editor) => {
          const refuse = (path: string): Response | undefined =>
            path === "/api/attachments.copy"
              ? Response.json({ error: "The team uses all.", ...body }, { status })
              : undefined;
          await whileAnswering(site, refuse, async () => {
            await editor.locator("img[src]").click();
            await copyButton(page).click();
            await page.getByRole("alert").getByText(said).waitFor();
            expect(await markdownOf(site, id)).toBe(`![Dot](${first})\n`);
          });
        },
        { expected: [new RegExp(String(status))] },
      );
    },
  );

  it("fits a narrow page in Arabic, and is not offered while another address stands in the field", {
    meta: { proves: ["web.editor.copy-picture"] },
    timeout,
  }, async () => {
    const id = await createDocument(site, "Narrow", `![Dot](${first})\n`);
    await site.withPage(site.setting.world.people.editor, { viewport: { width: 320, height: 700 } }, async (page) => {
      await page.context().addCookies([{ name: "kb_locale", value: "ar", url: site.origin }]);
      await page.route("https://pictures.test/*", (route) =>
        route.fulfill({ contentType: "image/gif", body: picture }),
      );
      await page.goto(`${site.origin}/documents/${id}?edit=true`);
      await page.locator(".editor img[src]").click();
      const button = page.getByRole("button", { name: "احفظ نسخة هنا" });
      await button.waitFor();
      await inspect(page, "editor-copy-picture-ar", { width: 320, scheme: "light" });
      await page.getByRole("textbox", { name: "عنوان الصورة" }).fill(second);
      await button.waitFor({ state: "detached" });
    });
  });
});
