import { invoke, operations } from "@kb/core";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { ar } from "../src/messages/ar.ts";
import { en } from "../src/messages/en.ts";
import { withoutClipboard, withoutCopying } from "./clipboard.ts";
import { settled, started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();
const { service, people, collections } = site.setting.world;
const { id } = await invoke(service, operations.createDocument, people.editor.actor, {
  collectionId: collections.open,
  title: "Deploying",
  text: "```\npnpm start\n```\n",
  publish: true,
});
const address = `${site.origin}/documents/${id}`;

describe("copying over plain HTTP, where browsers have no clipboard, in Chromium", () => {
  const open = async (page: Page): Promise<void> => {
    await page.goto(address);
    await started(page);
    await settled(page);
  };
  const copyLink = async (page: Page, { actions, copyLink: entry }: typeof en): Promise<void> => {
    await page.getByRole("button", { name: actions, exact: true }).click();
    await page.getByRole("menuitem", { name: entry }).click();
  };
  /** Returns what the clipboard has, as a field that it is pasted into shows it. */
  const pasted = async (page: Page): Promise<string> => {
    await page.keyboard.press("Control+k");
    const field = page.locator("[role=dialog] input:focus");
    await field.waitFor();
    await page.keyboard.press("Control+v");
    const text = await field.inputValue();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    return text;
  };

  it("a link and a block of code are copied all the same, and the focus stays", {
    meta: { proves: ["web.states"] },
    timeout,
  }, async () => {
    await site.withPage(people.viewer, {}, async (page) => {
      await withoutClipboard(page);
      await open(page);
      await copyLink(page, en);
      await page.getByText(en.linkCopied).waitFor();
      expect(await pasted(page)).toBe(address);
      const button = page.locator(".copy-code");
      await button.press("Enter");
      await page.locator(".copy-code:focus", { hasText: en.copied }).waitFor();
      expect(await pasted(page)).toBe("pnpm start");
    });
  });

  it.each([
    ["en", en],
    ["ar", ar],
  ] as const)(
    "a browser that refuses to copy says so in %s: the link is shown, and the code is selected",
    {
      meta: { proves: ["web.states"] },
      timeout,
    },
    async (locale, messages) => {
      await site.withPage(people.viewer, {}, async (page) => {
        await page.context().addCookies([{ name: "kb_locale", value: locale, url: site.origin }]);
        await withoutClipboard(page);
        await withoutCopying(page);
        await open(page);
        await copyLink(page, messages);
        await page.getByText(messages.linkNotCopied(address)).waitFor();
        await page.locator(".copy-code").press("Enter");
        await page.locator(".copy-code", { hasText: messages.pressCopyKeys("Ctrl C") }).waitFor();
        expect(await page.evaluate(() => String(getSelection()).trim())).toBe("pnpm start");
      });
    },
  );
});
