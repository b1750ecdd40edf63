import { timeout } from "@kb/testing/chromium";
import { expect, it } from "vitest";
import { createDocument } from "./editor-setting.ts";
import { started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();

it("a callout without a title has the same word in Arabic on the page and in the editor, and keeps the direction of its text", {
  timeout: 2 * timeout,
}, async () => {
  const id = await createDocument(site, "Callouts", "> [!NOTE]\n> Written in English.\n");
  await site.withPage(site.setting.world.people.editor, {}, async (page) => {
    await page.context().addCookies([{ name: "kb_locale", value: "ar", url: site.origin }]);
    for (const address of [`/documents/${id}`, `/documents/${id}?edit=true`]) {
      await page.goto(`${site.origin}${address}`);
      await started(page);
      const callout = page.locator(address.endsWith("true") ? "[contenteditable=true] .callout" : "article .callout");
      await callout.getByText("Written in English.").waitFor();
      expect(await callout.locator("> :first-child").textContent(), address).toBe("ملاحظة");
      expect(await callout.evaluate((element) => getComputedStyle(element).direction), address).toBe("ltr");
    }
  });
});
