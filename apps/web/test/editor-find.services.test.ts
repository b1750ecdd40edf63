import { inspect, timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDocument, markdownOf, openEditor, status } from "./editor-setting.ts";
import { openSite, type Site } from "./site.ts";

/** Returns the texts that are marked as found: all but the current one, and that one. */
const marked = (page: Page): Promise<Record<string, string[]>> =>
  page.evaluate(() => Object.fromEntries([...CSS.highlights].map(([name, ranges]) => [name, [...ranges].map(String)])));

describe("find and replace in the editor, in Chromium", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close(), timeout);

  it("finds, counts, marks and replaces by keyboard, and leads back to the text", {
    meta: { proves: ["web.editor.find", "web.editor.keys"] },
    timeout,
  }, async () => {
    const id = await createDocument(site, "Find", "One fish, two fish.\n\n**Fish** and chips.");
    await site.withPage(site.setting.world.people.editor, { viewport: { width: 320, height: 700 } }, async (page) => {
      const editor = await openEditor(site, page, id);
      await editor.click();
      await page.keyboard.press("Control+Home");
      await page.keyboard.press("Control+f");
      // Letters that are typed before the bar is there are for its field, not for the text.
      await page.keyboard.type("fish");
      const bar = page.getByRole("search", { name: "Find and replace" });
      await bar.getByRole("status").getByText("1 of 3").waitFor();
      await expect.poll(() => marked(page)).toEqual({ "kb-found": ["fish", "Fish"], "kb-found-current": ["fish"] });
      await inspect(page, "editor-find", { width: 320, scheme: "light" });
      await page.keyboard.press("Enter");
      await page.keyboard.press("Enter");
      await bar.getByRole("status").getByText("2 of 3").waitFor();
      await page.keyboard.press("Shift+Enter");
      await bar.getByRole("status").getByText("1 of 3").waitFor();
      await bar.getByRole("textbox", { name: "Replace with" }).fill("bird");
      await page.keyboard.press("Enter");
      await bar.getByRole("status").getByText("1 of 2").waitFor();
      await bar.getByRole("button", { name: "Replace all" }).click();
      await bar.getByRole("status").getByText("2 places were replaced.").waitFor();
      await status(page, /^Saved$/);
      await expect.poll(() => markdownOf(site, id)).toBe("One bird, two bird.\n\n**bird** and chips.\n");
      await page.keyboard.press("Escape");
      await bar.waitFor({ state: "detached" });
      expect(await editor.evaluate((node) => node === document.activeElement)).toBe(true);
      expect(await marked(page)).toEqual({});
    });
  });
});
