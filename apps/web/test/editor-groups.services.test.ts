import { timeout } from "@kb/testing/chromium";
import { parseMarkdown, serializeMarkdown } from "markdown-codec";
import type { CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { drawn, openText, readText } from "./editor-keys-page.ts";
import { type KeysPage, openKeysPage } from "./open-keys-page.ts";

declare const writing: {
  readonly drawn: typeof drawn;
  readonly openText: typeof openText;
  readonly readText: typeof readText;
};

const lines = Array.from({ length: 300 }, (_, index) => `line ${index}`);
const textOf = (all: readonly string[]): string => `${all.join("\n\n")}\n`;

describe("a text that is so long that its blocks are drawn in groups", () => {
  let page: Page;
  let devtools: CDPSession;
  let close: KeysPage["close"] | undefined;
  beforeAll(async () => {
    ({ page, devtools, close } = await openKeysPage());
  });
  afterAll(() => close?.(), timeout);
  beforeEach(async () => {
    await page.evaluate((json) => writing.openText(json, true), JSON.stringify(parseMarkdown(textOf(lines))));
    await page.evaluate(() => writing.drawn());
  });

  const line = (index: number) => page.locator(".editor > p").nth(index);
  const selected = (): Promise<string> => page.evaluate(() => String(getSelection()));
  const read = async (): Promise<string> => {
    await page.evaluate(() => writing.drawn());
    const { json, shown, expected, misplaced } = await page.evaluate(() => writing.readText());
    expect(shown).toBe(expected);
    expect(misplaced).toEqual([]);
    return serializeMarkdown(JSON.parse(json));
  };

  it("is selected by the mouse and by keys from one group to another, and what is typed takes its place", {
    meta: { proves: ["web.editor.keys"] },
    timeout,
  }, async () => {
    await line(20).click({ position: { x: 1, y: 10 } });
    await line(200).click({ position: { x: 1, y: 10 }, modifiers: ["Shift"] });
    await page.evaluate(() => writing.drawn());
    expect((await selected()).split(/\n+/).slice(0, 180)).toEqual(lines.slice(20, 200));
    await page.keyboard.type("x");
    expect(await read()).toBe(textOf([...lines.slice(0, 20), "xline 200", ...lines.slice(201)]));
    await page.keyboard.press("Control+z");
    expect(await read()).toBe(textOf(lines));
    // A press into what is selected would drag it.
    await line(32).click();
    const from = await line(30).boundingBox();
    const to = await line(36).boundingBox();
    if (from === null || to === null) throw new Error("The lines are not drawn");
    await page.mouse.move(from.x + 1, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(to.x + 1, to.y + 10, { steps: 5 });
    await page.mouse.up();
    expect((await selected()).split(/\n+/).slice(0, 6)).toEqual(lines.slice(30, 36));
    await line(36).click({ position: { x: 1, y: 10 } });
    await page.evaluate(() => writing.drawn());
    for (let count = 0; count < 70; count += 1) await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.type("y");
    expect(await read()).toBe(textOf([...lines.slice(0, 36), "yline 106", ...lines.slice(107)]));
  });

  it("takes the caret into the nearest line by a press between two lines, also between two groups", {
    meta: { proves: ["web.editor.keys"] },
    timeout,
  }, async () => {
    for (let index = 20; index < 80; index += 1) {
      await line(index).evaluate((one) => one.scrollIntoView({ block: "center", behavior: "instant" }));
      await page.evaluate(() => writing.drawn());
      const box = await line(index).boundingBox();
      if (box === null) throw new Error("The line is not drawn");
      await page.mouse.click(box.x + 5, box.y + box.height + 3);
      await page.evaluate(() => writing.drawn());
      const text = await page.evaluate(() => getSelection()?.anchorNode?.textContent);
      expect([lines[index], lines[index + 1]]).toContain(text);
    }
  });

  it("has its blocks in the tree of assistive technology, and the groups as nothing that is said", {
    timeout,
  }, async () => {
    const { nodes } = await devtools.send("Accessibility.getFullAXTree");
    const parents = new Map(nodes.map((node) => [node.nodeId, node]));
    const box = nodes.find(({ role }) => role?.value === "textbox");
    const shown = nodes.filter(({ role, ignored }) => role?.value === "paragraph" && !ignored);
    // Chromium has those in it that were laid out.
    expect(shown.length).toBeGreaterThan(40);
    for (const { parentId } of shown) {
      let parent = parents.get(parentId ?? "");
      while (parent?.ignored === true || parent?.role?.value === "generic") parent = parents.get(parent.parentId ?? "");
      expect(parent?.nodeId).toBe(box?.nodeId);
    }
  });

  it("is printed as a whole, and the browser finds what is out of sight", { timeout }, async () => {
    const areLaidOut = (): Promise<boolean> =>
      page
        .locator(".editor > p")
        .evaluateAll((all) =>
          all.every((one) => one.firstChild !== null && one.checkVisibility({ contentVisibilityAuto: true })),
        );
    expect(await areLaidOut()).toBe(false);
    await page.emulateMedia({ media: "print" });
    expect(await areLaidOut()).toBe(true);
    await page.emulateMedia({ media: "screen" });
    expect(await page.evaluate(() => Reflect.get(globalThis, "find").call(globalThis, "line 177"))).toBe(true);
    expect(await selected()).toBe("line 177");
  });
});
