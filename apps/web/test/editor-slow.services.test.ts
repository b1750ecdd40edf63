import { timeout } from "@kb/testing/chromium";
import { parseMarkdown, serializeMarkdown } from "markdown-codec";
import type { CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pressKeys, typeText } from "./editor-key-events.ts";
import type { drawn, openText, readText, writeAsOther } from "./editor-keys-page.ts";
import { type KeysPage, openKeysPage, partOfText } from "./open-keys-page.ts";

declare const writing: {
  readonly drawn: typeof drawn;
  readonly openText: typeof openText;
  readonly readText: typeof readText;
  readonly writeAsOther: typeof writeAsOther;
};

/** How long the page does nothing else than what it is told. A computer that is slow takes clicks and keys so late. */
const busyMs = 200;

describe("clicks and keys that come before the browser draws what they lead to", () => {
  let page: Page;
  let devtools: CDPSession;
  let close: KeysPage["close"] | undefined;
  beforeAll(async () => {
    ({ page, devtools, close } = await openKeysPage());
  });
  afterAll(() => close?.(), timeout);

  /** Opens a text, of which nothing far from its start and its end was in sight yet. */
  const open = async (markdown: string, isAtStart = false): Promise<void> => {
    await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
    const json = JSON.stringify(parseMarkdown(markdown));
    await page.evaluate(([text, where]) => writing.openText(text, where), [json, isAtStart] as const);
  };

  const read = async (): Promise<string> => {
    await page.evaluate(() => writing.drawn());
    const { json } = await page.evaluate(() => writing.readText());
    return serializeMarkdown(JSON.parse(json));
  };

  /**
   * Scrolls to an element as a finger or a wheel does, and keeps the page from drawing it. Meanwhile it is clicked, and keys follow; the
   * page takes them all before it draws. On a busy machine the click may come too late, to a page that has moved: then all begins anew.
   */
  const clickAndPress = async (
    prepare: () => Promise<void>,
    [selector, index]: readonly [selector: string, index: number],
    keys: readonly string[],
    text: string,
  ): Promise<void> => {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await prepare();
      const scrolled = page.waitForEvent("console");
      const busy = page.evaluate(
        ([query, nth, ms]) => {
          const element = document.querySelectorAll(query)[nth];
          const top = element?.getBoundingClientRect().top ?? 0;
          scrollBy({ top: top - innerHeight / 2, behavior: "instant" });
          const { left, top: y, height } = element?.getBoundingClientRect() ?? new DOMRect();
          document.body.dataset.pressed = "never";
          let isDrawn = false;
          requestAnimationFrame(() => {
            isDrawn = true;
          });
          const note = (): void => {
            document.body.dataset.pressed = isDrawn ? "late" : "in time";
          };
          addEventListener("mousedown", note, { once: true, capture: true });
          console.info(JSON.stringify({ x: left + 20, y: y + height / 2 }));
          for (const from = performance.now(); performance.now() - from < ms; );
        },
        [selector, index, busyMs] as const,
      );
      const mouse = { ...JSON.parse((await scrolled).text()), button: "left", clickCount: 1 };
      await Promise.all([
        busy,
        devtools.send("Input.dispatchMouseEvent", { type: "mousePressed", ...mouse }),
        devtools.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...mouse }),
        ...keys.flatMap((key) => pressKeys(devtools, key)),
        ...typeText(devtools, text),
      ]);
      if ((await page.evaluate(() => document.body.dataset.pressed)) === "in time") return;
    }
    throw new Error("Every click came after the page had been drawn");
  };

  /** Presses keys while the page draws nothing. */
  const press = async (keys: readonly string[], text: string): Promise<void> => {
    const begun = page.waitForEvent("console");
    const busy = page.evaluate((ms) => {
      console.info("busy");
      for (const from = performance.now(); performance.now() - from < ms; );
    }, busyMs);
    await begun;
    await Promise.all([busy, ...keys.flatMap((key) => pressKeys(devtools, key)), ...typeText(devtools, text)]);
  };

  const places: readonly (readonly [selector: string, text: string])[] = [
    ["p", "Words of a paragraph."],
    ["h2", "Heading"],
    ["li p", "two"],
    ["pre", "const a = 1;"],
    ["td p", "d"],
  ];
  it.each(places)(
    "letters stand at the end of the line that was clicked in %s, or at its start, where it was not laid out yet",
    { meta: { proves: ["web.editor.keys"] }, timeout },
    async (selector, text) => {
      for (const [key, expected] of [
        ["End", `${text}ab`],
        ["Home", `ab${text}`],
      ] as const) {
        const prepare = async (): Promise<void> => {
          await open(partOfText.repeat(50));
          await page.evaluate(() => writing.drawn());
        };
        await prepare();
        // Blocks that are not laid out may reach over those that follow: another block would be pressed there.
        const index = await page.evaluate(
          ([query, wanted]) => {
            const all = [...document.querySelectorAll(query)];
            const blocks = [...document.querySelectorAll(".editor > *")];
            const isAlone = (one: Element): boolean => {
              const next = blocks.findIndex((block) => block.contains(one)) + 1;
              const { bottom } = one.getBoundingClientRect();
              return blocks.slice(next).every((block) => block.getBoundingClientRect().top >= bottom);
            };
            return all.findIndex((one, at) => at > all.length / 2 && one.textContent === wanted && isAlone(one));
          },
          [`.editor ${selector}`, text] as const,
        );
        await clickAndPress(prepare, [`.editor ${selector}`, index], [key], "a");
        await page.evaluate(() => writing.drawn());
        await page.keyboard.type("b");
        expect(await page.locator(`.editor ${selector}`).nth(index).textContent()).toBe(expected);
        expect((await read()).replace(expected, text)).toBe(serializeMarkdown(parseMarkdown(partOfText.repeat(50))));
      }
    },
  );

  const lines = Array.from({ length: 300 }, (_, index) => `line ${index}`);
  const paragraphs = `${lines.join("\n\n")}\n`;

  it("Enter parts the line that was clicked, not the one where the caret was", {
    meta: { proves: ["web.editor.keys"] },
    timeout,
  }, async () => {
    const prepare = async (): Promise<void> => {
      await open(paragraphs, true);
      await page.evaluate(() => writing.drawn());
    };
    await clickAndPress(prepare, [".editor p", 200], ["End", "Enter"], "b");
    expect(await read()).toBe(paragraphs.replace("line 200\n", "line 200\n\nb\n"));
  });

  it("a press far below leaves a box folded in which the caret was", {
    meta: { proves: ["web.editor.keys"] },
    timeout,
  }, async () => {
    const isOpen = (): Promise<boolean> =>
      page.locator(".editor details").evaluate((box: HTMLDetailsElement) => box.open);
    const prepare = async (): Promise<void> => {
      await open(`> [!NOTE]+ Box\n> inside\n\n${paragraphs}`);
      await page.locator(".editor .callout p").click();
      await page.locator(".editor summary").click();
      expect(await isOpen()).toBe(false);
    };
    await clickAndPress(prepare, [".editor > p", 200], ["End"], "b");
    expect(await read()).toContain("line 200b\n");
    expect(await isOpen()).toBe(false);
  });

  it("a caret that a key has moved stays there when somebody else writes right after the key", {
    meta: { proves: ["web.editor.keys", "web.editor.together"] },
    timeout,
  }, async () => {
    await open(paragraphs);
    await page.evaluate(() => {
      addEventListener("keyup", () => writing.writeAsOther(0, "theirs "), { once: true, capture: true });
    });
    await press(["ArrowUp", "Home"], "b");
    expect(await read()).toBe(paragraphs.replace("line 0", "theirs line 0").replace("line 298", "bline 298"));
  });

  it("each Page Up leads a page up", { meta: { proves: ["web.editor.keys"] }, timeout }, async () => {
    await open(paragraphs);
    await page.evaluate(() => writing.drawn());
    await press(["PageUp", "PageUp", "PageUp"], "b");
    const at = (await read()).split("\n\n").findIndex((line) => line.includes("b"));
    // A page has about twelve lines.
    expect(at).toBeLessThan(275);
    expect(at).toBeGreaterThan(250);
  });

  it("Control+Home leads to the start of the text right after it has the focus", {
    meta: { proves: ["web.editor.keys"] },
    timeout,
  }, async () => {
    for (const [keys, expected] of [
      [["Control+Home"], paragraphs.replace("line 0", "bline 0")],
      [["Control+Home", "End"], paragraphs.replace("line 0", "line 0b")],
      [["Control+Home", "ArrowDown"], paragraphs.replace("line 1", "bline 1")],
    ] as const) {
      await open(paragraphs);
      await Promise.all([...keys.flatMap((key) => pressKeys(devtools, key)), ...typeText(devtools, "b")]);
      expect(await read()).toBe(expected);
    }
  });
});
