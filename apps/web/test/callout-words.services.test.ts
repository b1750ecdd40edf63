import { timeout } from "@kb/testing/chromium";
import { expect, it } from "vitest";
import { createDocument } from "./editor-setting.ts";
import { started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();

it.each([
  ["ar", "ملاحظة", "Written in English.", "ltr"],
  ["en", "note", "كتب بالعربية.", "rtl"],
])(
  "a callout without a title has its word on the page and in the editor, and the direction of its text, in %s",
  {
    timeout: 2 * timeout,
  },
  async (locale, word, text, direction) => {
    const id = await createDocument(site, "Callouts", `> [!NOTE]\n> ${text}\n`);
    await site.withPage(site.setting.world.people.editor, {}, async (page) => {
      await page.context().addCookies([{ name: "kb_locale", value: locale, url: site.origin }]);
      for (const address of [`/documents/${id}`, `/documents/${id}?edit=true`]) {
        await page.goto(`${site.origin}${address}`);
        await started(page);
        const callout = page.locator(address.endsWith("true") ? "[contenteditable=true] .callout" : "article .callout");
        await callout.getByText(text).waitFor();
        const head = callout.locator("> :first-child");
        expect(await head.textContent(), address).toBe(word);
        expect(await callout.evaluate((element) => getComputedStyle(element).direction), address).toBe(direction);
        expect(await head.evaluate((element) => getComputedStyle(element).direction), address).toBe(direction);
      }
    });
  },
);
