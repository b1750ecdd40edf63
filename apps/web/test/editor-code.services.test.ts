import { inspect, timeout } from "@kb/testing/chromium";
import { parseMarkdown, serializeMarkdown } from "markdown-codec";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type * as codePage from "./editor-code-page.ts";
import { pageScript } from "./editor-page-script.ts";
import { caretRead, createDocument, editDocument, expectSaved, markdownOf, toEnd } from "./editor-setting.ts";
import { chosen, openSite, type Site } from "./site.ts";

declare const code: typeof codePage;

const fence = "```";
const block = (language: string, text: string): string => `${fence}${language}\n${text}\n${fence}\n`;

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close(), timeout);

describe("code in the editor by itself", () => {
  let page: Page;
  beforeAll(async () => {
    page = await site.browser.newPage({ viewport: { width: 800, height: 600 } });
    const { script, style } = await pageScript("editor-code-page.ts", "code");
    await page.setContent("<!doctype html><html lang=en><body></body></html>");
    await page.addStyleTag({ content: style });
    await page.addScriptTag({ content: script });
  });
  beforeEach(() => openJson({ type: "doc", content: [{ type: "paragraph" }] }));

  const openJson = async (document: object): Promise<void> => {
    await page.evaluate((json) => code.openText(json), JSON.stringify(document));
    await caretRead(page);
  };
  const open = (markdown: string): Promise<void> => openJson(parseMarkdown(markdown));
  const markdownNow = async (): Promise<string> =>
    serializeMarkdown(JSON.parse(await page.evaluate(() => code.contentNow())));
  const colored = (): Promise<Record<string, string[]>> => page.evaluate(() => code.colored());
  const caretBefore = (passage: string, other?: string): Promise<void> =>
    page.evaluate(([from = "", to]) => code.caretBefore(from, to), [passage, other]);
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) {
      await page.keyboard.press(key);
      await caretRead(page);
    }
  };

  it("has the colors of its language, which follow what is typed and what others write; no element is added", {
    meta: { proves: ["web.editor.code"] },
    timeout,
  }, async () => {
    await open(
      `Above\n\n${block("ts {1}", 'const answer = "two"; // why\nreturn 42;')}\n${block("unheardof", "const x = 1;")}`,
    );
    await expect.poll(colored).toEqual({
      "code-word": ["const", "return"],
      "code-string": ['"two"'],
      "code-comment": ["// why"],
      "code-number": ["42"],
    });
    await caretBefore("answer");
    await page.keyboard.type("new_");
    // Right after the key, before the code was read again.
    expect((await colored())["code-string"]).toEqual(['"two"']);
    await page.evaluate(() => code.writeBefore("Above", "Theirs "));
    await page.evaluate(() => code.writeBefore("const", "let y = `z`;\n"));
    expect((await colored())["code-comment"]).toEqual(["// why"]);
    await expect.poll(async () => (await colored())["code-string"]).toEqual(["`z`", '"two"']);
    await expect.poll(async () => (await colored())["code-word"]).toEqual(["let", "const", "return"]);
    expect(await page.locator("pre > code *").count()).toBe(0);
    expect(await markdownNow()).toContain('let y = `z`;\nconst new_answer = "two"; // why');
  });

  it("only blocks that are near have colors, none above 20,000 characters, and together at most 60,000", {
    meta: { proves: ["web.editor.code"] },
    timeout,
  }, async () => {
    await open(`${block("js", "let a = 1;")}\n${"Between.\n\n".repeat(150)}${block("js", "let b = 'far';")}`);
    await expect.poll(colored).toEqual({ "code-word": ["let"], "code-number": ["1"] });
    await page.locator("pre").last().scrollIntoViewIfNeeded();
    await expect.poll(colored).toEqual({ "code-word": ["let"], "code-string": ["'far'"] });
    const line = (length: number): string => `let x = "${"y".repeat(length - 11)}";`;
    await open(`${block("js", line(20_001))}\n${block("js", line(19_000))}\n`.repeat(5));
    await expect.poll(() => page.evaluate(() => code.coloredLength())).toBe(57_000);
  });

  it("Enter keeps the indentation, and leaves the code after two empty lines at its end", {
    meta: { proves: ["web.editor.code", "web.editor.keys"] },
    timeout,
  }, async () => {
    await page.keyboard.type("```ts if (a) {");
    await press("Enter");
    await page.keyboard.type("  one();");
    await press("Enter");
    await page.keyboard.type("two();");
    expect(await markdownNow()).toBe(block("ts", "if (a) {\n  one();\n  two();"));
    await press("Enter", "Enter", "Enter");
    await page.keyboard.type("Behind");
    expect(await markdownNow()).toBe(`${block("ts", "if (a) {\n  one();\n  two();")}\nBehind\n`);
  });

  it("Enter in code of a list stays in the code", { meta: { proves: ["web.editor.code"] }, timeout }, async () => {
    await open("- a\n\n  ```\n  \tone two\n  ```\n");
    await caretBefore("two");
    await press("Enter");
    expect(await markdownNow()).toBe("- a\n\n  ```\n  \tone \n  \ttwo\n  ```\n");
  });

  it("arrows at its ends lead out of code that nothing stands beside, Tab out of the text, and Backspace out of code without text", {
    meta: { proves: ["web.editor.code", "web.editor.keys"] },
    timeout,
  }, async () => {
    await open(block("", "one\ntwo"));
    await press("ArrowDown", "End", "ArrowDown");
    await page.keyboard.type("Behind");
    await caretBefore("one");
    await press("ArrowUp");
    await page.keyboard.type("Before");
    expect(await markdownNow()).toBe(`Before\n\n${block("", "one\ntwo")}\nBehind\n`);
    await press("ArrowDown", "Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Behind the text");
    await open("");
    await page.keyboard.type("```js ");
    await press("Backspace");
    expect(await markdownNow()).toBe("\\`\\`\\`js&#32;\n");
    await open(block("js", "x"));
    await press("Delete", "Backspace");
    await page.keyboard.type("Words");
    expect(await markdownNow()).toBe("Words\n");
  });

  it("Ctrl+] and Ctrl+[ move the selected lines in and out, by tabs where the code has some", {
    meta: { proves: ["web.editor.code"] },
    timeout,
  }, async () => {
    await open(block("", "one\n\n   two\nthree"));
    await caretBefore("ne", "three");
    await press("Control+]");
    expect(await markdownNow()).toBe(block("", "  one\n\n     two\nthree"));
    await press("Control+[", "Control+[", "Control+[");
    expect(await markdownNow()).toBe(block("", "one\n\ntwo\nthree"));
    await open(block("", "one\n\ttwo"));
    await press("Control+]");
    await page.keyboard.type("x");
    expect(await markdownNow()).toBe(block("", "\txone\n\ttwo"));
  });

  it("the blocks of a callout have directions of their own while readers can fold it", {
    meta: { proves: ["web.editor.still"] },
    timeout,
  }, async () => {
    await open(`> [!NOTE]\n> One\n>\n> - two\n>\n> ${block("", "three").trimEnd().replaceAll("\n", "\n> ")}\n`);
    const directions = (): Promise<(string | null)[]> => page.evaluate(() => code.directions());
    expect(await directions()).toEqual([null, null, null]);
    await page.evaluate(() => code.changeFolded(true));
    await expect.poll(directions).toEqual(["auto", null, "auto"]);
    await page.evaluate(() => code.changeFolded(null));
    await expect.poll(directions).toEqual([null, null, null]);
  });

  it("a composition in colored code is written once, while others write in the same code", {
    meta: { proves: ["web.editor.code", "web.editor.together"] },
    timeout,
  }, async () => {
    await open(block("js", 'let a = "b"; // c'));
    await expect.poll(async () => (await colored())["code-word"]).toEqual(["let"]);
    await caretBefore("b");
    await caretRead(page);
    const keyboard = await page.context().newCDPSession(page);
    await keyboard.send("Input.imeSetComposition", { text: "に", selectionStart: 1, selectionEnd: 1 });
    await page.evaluate(() => code.writeBefore("// c", "/* d */ "));
    await keyboard.send("Input.imeSetComposition", { text: "にほ", selectionStart: 2, selectionEnd: 2 });
    await keyboard.send("Input.insertText", { text: "日本" });
    await keyboard.detach();
    await expect.poll(markdownNow).toBe(block("js", 'let a = "日本b"; /* d */ // c'));
    await expect.poll(async () => (await colored())["code-string"]).toEqual(['"日本b"']);
    await expect.poll(async () => (await colored())["code-comment"]).toEqual(["/* d */", "// c"]);
  });
});

describe("footnotes in the editor", () => {
  const text = "Words[^a] here.\n\n[^a]: The **note**\n\n    has more.\n";
  const popover = (page: Page): Locator => page.locator("[data-note-popover]");

  it("a reference that is selected shows and says its note; Enter leads to it, to be written, and Escape back", {
    meta: { proves: ["web.editor.footnotes", "web.editor.keys"] },
    timeout: 2 * timeout,
  }, async () => {
    const id = await createDocument(site, "Notes", text);
    const before = await markdownOf(site, id);
    await editDocument(site, id, async (page, editor) => {
      await editor.click();
      await page.keyboard.press("Control+Home");
      await caretRead(page);
      for (let count = 0; count < 6; count++) {
        await page.keyboard.press("ArrowRight");
        await caretRead(page);
      }
      await popover(page).getByText("has more.").waitFor();
      await page.getByRole("status").getByText("Footnote \u2068a\u2069: \u2068The note has more.").waitFor();
      expect(await popover(page).locator("strong").textContent()).toBe("note");
      await inspect(page, "editor-footnote", { width: 1280, scheme: "light" });
      await page.keyboard.press("Enter");
      await page.keyboard.type(" And this.");
      await popover(page).getByText("Back to the text").waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.type("!");
      await expectSaved(site, page, id, before.replace("[^a] ", "[^a]! ").replace("more.", "more. And this."));
      expect(await popover(page).count()).toBe(0);
      await page.keyboard.press("Control+End");
      await page.keyboard.press("Escape");
      await page.keyboard.type("?");
      await expect.poll(() => markdownOf(site, id)).toContain("And this.?");
    });
  });

  it("the mouse over a reference shows its note until Escape, also under the mouse; a click leads to it and back", {
    meta: { proves: ["web.editor.footnotes"] },
    timeout: 2 * timeout,
  }, async () => {
    const id = await createDocument(site, "Hovered", text);
    await editDocument(site, id, async (page, editor) => {
      const before = await markdownOf(site, id);
      await editor.locator(".footnote-reference").first().hover();
      await popover(page).getByText("has more.").waitFor();
      await popover(page).hover({ position: { x: 5, y: 5 } });
      await popover(page).click({ position: { x: 5, y: 5 } });
      await page.keyboard.press("Escape");
      await expect.poll(() => popover(page).count()).toBe(0);
      await editor.getByText("here").hover();
      await editor.locator(".footnote-reference").first().hover();
      await popover(page).getByText("Go to the note").click();
      await popover(page).getByText("Back to the text").waitFor();
      await page.keyboard.type("!");
      await expectSaved(site, page, id, before.replace("more.", "more.!"));
      await popover(page).getByText("Back to the text").click();
      await page.keyboard.type("?");
      await expectSaved(site, page, id, before.replace("more.", "more.!").replace("[^a] ", "[^a]? "));
    });
  });
});

/** Returns the text of the entry that the field of a picker names to a screen reader. */
const namedEntry = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const named = document.activeElement?.getAttribute("aria-activedescendant") ?? "";
    return document.getElementById(named)?.textContent ?? "";
  });

describe("the language of code in the editor", () => {
  it("is chosen in the toolbar by keyboard, from those that are known or as another word; what was typed early is kept", {
    meta: { proves: ["web.editor.code", "web.editor.keys"] },
    timeout: 2 * timeout,
  }, async () => {
    const id = await createDocument(site, "Languages", block("js {1,3}", "let a = 1;"));
    await editDocument(site, id, async (page, editor) => {
      await toEnd(page);
      const language = page.getByRole("button", { name: /^Language of the code: / });
      await expect.poll(() => language.textContent()).toBe("JavaScript");
      await page.keyboard.press("Alt+F10");
      while (!(await language.evaluate((node) => node === document.activeElement)))
        await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      await page.keyboard.type("py");
      await chosen(page, "Python");
      // The field names the entry a moment later, and until then one that may have left the list.
      await expect.poll(() => namedEntry(page)).toContain("Python");
      await inspect(page, "editor-language", { width: 1280, scheme: "light" });
      await page.keyboard.press("Enter");
      await expect.poll(() => editor.evaluate((node) => node === document.activeElement)).toBe(true);
      await expectSaved(site, page, id, block("python {1,3}", "let a = 1;"));
      await expect.poll(() => language.textContent()).toBe("Python");
      await language.click();
      await page.keyboard.type("mermaid");
      await chosen(page, "mermaid");
      await page.keyboard.press("Enter");
      await expectSaved(site, page, id, block("mermaid", "let a = 1;"));
      await page.keyboard.press("Control+z");
      await expectSaved(site, page, id, block("python {1,3}", "let a = 1;"));
    });
  });

  it("stands beside the block under the mouse with a button that copies the code; looking at both changes nothing", {
    meta: { proves: ["web.editor.code"] },
    timeout: 2 * timeout,
  }, async () => {
    const text = `Words\n\n${block("{r, echo=F}", "x <- 1\n\n  y")}\n~~~~ a\`b  c\n${fence}\n~~~~\n`;
    const id = await createDocument(site, "Looking", text);
    const before = await markdownOf(site, id);
    const permissions = ["clipboard-read", "clipboard-write"];
    await editDocument(
      site,
      id,
      async (page, editor) => {
        await editor.getByText("x <- 1").hover();
        const tools = page.locator("[data-code-tools]");
        await tools.getByText("{r,").waitFor();
        await inspect(page, "editor-code", { width: 1280, scheme: "dark" });
        await tools.getByText("Copy").click();
        await page.getByText("Copied").first().waitFor();
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("x <- 1\n\n  y");
        await tools.getByText("{r,").click();
        await chosen(page, "{r, echo=F}");
        await page.keyboard.press("Enter");
        await editor.getByText(fence).hover();
        await tools.getByText("a`b").click();
        await chosen(page, "a`b");
        // The first one empties the field.
        await page.keyboard.press("Escape");
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await toEnd(page);
        await page.keyboard.type("!");
        await page.keyboard.press("Backspace");
        await expectSaved(site, page, id, before);
        await editor.getByText("Words").hover();
        await expect.poll(() => tools.count()).toBe(0);
      },
      { permissions },
    );
  });
});
