import { operations } from "@kb/core";
import { sessionCallerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createDocument } from "./editor-setting.ts";
import { settled, started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();

describe("the reader's own settings in Chromium", () => {
  const open = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${site.origin}/settings${path}`);
    await started(page);
  };

  it("a password is changed, a wrong one is named at its field, and other sessions end", { timeout }, async () => {
    const { world } = site.setting;
    const { editor } = world.people;
    const admin = await sessionCallerOf(world, world.people.admin);
    const { password } = await admin.run(operations.resetPassword, { id: editor.id });
    await site.withPage(editor, { expected: [/status of 400/] }, async (page) => {
      const other = await sessionCallerOf(world, editor);
      await open(page, "/you");
      const current = page.getByLabel("Current password");
      await current.fill("not my password");
      await page.getByLabel("New password").fill("a much longer password");
      await page.getByRole("button", { name: "Change password" }).click();
      await page.getByText("Is not your current password.").waitFor();
      expect(await current.getAttribute("aria-invalid")).toBe("true");
      expect(await current.evaluate((field) => field === document.activeElement)).toBe(true);
      await current.fill(password ?? "");
      await page.keyboard.press("Enter");
      await page.getByText("Your password is changed.").waitFor();
      await expect(other.run(operations.getSession, {})).rejects.toMatchObject({ code: "authentication_required" });
      expect(await page.getByRole("button", { name: /^End session/ }).count()).toBe(0);
    });
  });

  it("somebody who has no password is told why, and ends another session of theirs", { timeout }, async () => {
    const { world } = site.setting;
    const { member } = world.people;
    await site.withPage(member, {}, async (page) => {
      const other = await sessionCallerOf(world, member);
      await open(page, "/you");
      await page.getByText("You log in by single sign-on").waitFor();
      await page
        .getByRole("button", { name: /^End session/ })
        .first()
        .click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).waitFor();
      for (;;) {
        await page.getByRole("dialog").getByRole("button", { name: "End session" }).click();
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await settled(page);
        const rest = page.getByRole("button", { name: /^End session/ });
        if ((await rest.count()) === 0) break;
        await rest.first().click();
      }
      await expect(other.run(operations.getSession, {})).rejects.toMatchObject({ code: "authentication_required" });
      await page.getByText("This browser", { exact: true }).waitFor();
    });
  });

  it("keys that are single letters can be switched off, and stay off", { timeout }, async () => {
    await site.withPage(site.setting.world.people.editor, {}, async (page) => {
      await open(page, "/you");
      await page.getByLabel("Use single-letter keys").uncheck();
      await page.reload();
      await started(page);
      expect(await page.getByLabel("Use single-letter keys").isChecked()).toBe(false);
      await page.getByRole("heading", { level: 1 }).focus();
      await page.keyboard.press("c");
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog", { name: "Quick open" }).waitFor();
      expect(await page.getByRole("dialog").count()).toBe(1);
    });
  });

  it("documents open for writing where that is preferred, and for reading once somebody has ended it", {
    timeout: 2 * timeout,
  }, async () => {
    const { people, documents } = site.setting.world;
    const editorOf = (page: Page) => page.getByRole("textbox", { name: "Text", exact: true });
    await site.withPage(people.editor, {}, async (page) => {
      const editor = editorOf(page);
      await open(page, "/you");
      await page.getByLabel("Open documents for writing").check();
      await page.goto(`${site.origin}/documents/${documents.guide.id}`);
      await editor.waitFor();
      await page.getByRole("button", { name: "Done" }).click();
      await editor.waitFor({ state: "detached" });
      await page.getByRole("article").waitFor();
      await page.goto(`${site.origin}/documents/${documents.guide.id}#of-a-heading`);
      await started(page);
      expect(await editor.count()).toBe(0);
    });
    await site.withPage(people.viewer, {}, async (page) => {
      await open(page, "/you");
      await page.getByLabel("Open documents for writing").check();
      await page.goto(`${site.origin}/documents/${documents.guide.id}`);
      await started(page);
      expect([new URL(page.url()).search, await editorOf(page).count()]).toEqual(["", 0]);
    });
  });

  it("the editor makes the quotation marks of a language where that is preferred, which is off by default", {
    timeout: 2 * timeout,
  }, async () => {
    const { people } = site.setting.world;
    await site.withPage(people.editor, {}, async (page) => {
      const typeQuoted = async (text: string): Promise<void> => {
        const id = await createDocument(site, "Quoted", "");
        await page.goto(`${site.origin}/documents/${id}?edit=true`);
        const editor = page.getByRole("textbox", { name: "Text", exact: true });
        await editor.click();
        await page.keyboard.type(`"a" it's`);
        await editor.getByText(text).waitFor();
      };
      await typeQuoted(`"a" it's`);
      await open(page, "/you");
      const marks = page.getByLabel("Quotation marks in the editor");
      expect(await marks.inputValue()).toBe("");
      await marks.selectOption({ label: "German: \u2068„…“ ‚…‘\u2069" });
      await typeQuoted("„a“ it’s");
      await open(page, "/you");
      expect(await marks.inputValue()).toBe("de");
      await marks.selectOption({ label: "As typed" });
      await typeQuoted(`"a" it's`);
      // Only this browser reads the cookie again, so anything may be in it.
      await page.context().addCookies([{ name: "kb_quotes", value: '"x', url: site.origin }]);
      await open(page, "/you");
      expect([await marks.inputValue(), await page.locator("html[data-quotes]").count()]).toEqual(["", 0]);
    });
  });

  it("without script the list leads to each page, which says that it needs script", { timeout }, async () => {
    await site.withPage(site.setting.world.people.viewer, { javaScriptEnabled: false }, async (page) => {
      await page.goto(`${site.origin}/settings`);
      await page.getByRole("main").getByRole("link", { name: "You" }).click();
      await page.locator("noscript p").waitFor();
      expect(await page.getByRole("link", { name: "API keys" }).count()).toBe(0);
      const hidden = await page.goto(`${site.origin}/settings/keys`);
      expect(hidden?.status()).toBe(404);
    });
  });
});
