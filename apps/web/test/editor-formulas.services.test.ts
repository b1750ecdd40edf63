import { formulasOfPage } from "@kb/formulas";
import { startChromium, timeout } from "@kb/testing/chromium";
import { parseMarkdown, serializeMarkdown, toReadingHtml } from "markdown-codec";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type * as formulasPage from "./editor-formulas-page.ts";
import { pageScript } from "./editor-page-script.ts";
import { caretRead } from "./editor-setting.ts";

declare const formulas: typeof formulasPage;

describe("formulas in the editor", () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await startChromium();
    page = await browser.newPage({ viewport: { width: 800, height: 600 } });
    const { script, style } = await pageScript("editor-formulas-page.ts", "formulas");
    await page.setContent("<!doctype html><html lang=en><body></body></html>");
    await page.addStyleTag({ content: style });
    await page.addScriptTag({ content: script });
  });
  afterAll(() => browser?.close(), timeout);

  const open = async (markdown: string): Promise<void> => {
    await page.evaluate((json) => formulas.openText(json), JSON.stringify(parseMarkdown(markdown)));
    await caretRead(page);
  };
  const markdownNow = async (): Promise<string> =>
    serializeMarkdown(JSON.parse(await page.evaluate(() => formulas.contentNow())));
  const field = (): Locator => page.getByRole("textbox", { name: "Formula", exact: true });
  const shown = (): Locator => page.getByRole("img", { name: /^Formula: / });
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) {
      await page.keyboard.press(key);
      await caretRead(page);
    }
  };
  /** The field as the keyboard has it: its text, with the caret as `|`; null where it is closed. */
  const written = (): Promise<string | null> =>
    page.evaluate(() => {
      const active = document.activeElement;
      if (!(active instanceof HTMLTextAreaElement)) return null;
      const { value, selectionStart } = active;
      return `${value.slice(0, selectionStart)}|${value.slice(selectionStart)}`;
    });

  it("are the same MathML that readers see, in lines and on lines of their own, as many as a page shows", {
    meta: { proves: ["web.editor.formulas"] },
    timeout,
  }, async () => {
    const long = Array.from({ length: 60 }, (_, index) => `$x_{${index}}${"+y".repeat(400)}$`).join("\n\n");
    const text = `A $\\frac{1}{2}<\\text{<b>}$, $\\foo$\n\n$$\n\\begin{pmatrix}a&b\\end{pmatrix}\n$$\n\n$$\na & b\n$$\n\n${long}`;
    await open(text);
    const html = toReadingHtml(parseMarkdown(text), { math: formulasOfPage() });
    const expected = await page.evaluate((markup) => formulas.asWritten(markup), html);
    const found = await shown().evaluateAll((all) => all.map(({ innerHTML }) => innerHTML));
    const readers = expected.replace(/ data-(?:fault|values)="[^"]*"/g, "").replaceAll("</pre>\n", "</pre>");
    const rest = found.reduce((left, each) => {
      const start = left.indexOf(each);
      expect(start, each.slice(0, 200)).toBeGreaterThanOrEqual(0);
      return left.slice(start);
    }, readers);
    expect(rest).not.toBe("");
    expect(found.filter((each) => each.includes("too many formulas")).length).toBeGreaterThan(5);
  });

  it("the caret opens the source of one in a line from either side, and leaves it at its ends", {
    meta: { proves: ["web.editor.formulas"] },
    timeout,
  }, async () => {
    await open("A $x^2$ b");
    await press("ArrowRight", "ArrowRight", "ArrowRight");
    expect(await written()).toBe("|x^2");
    await page.keyboard.type("y");
    expect(await markdownNow()).toBe("A $yx^2$ b\n");
    await press("End", "ArrowRight");
    expect(await written()).toBeNull();
    await page.keyboard.type("!");
    expect(await markdownNow()).toBe("A $yx^2$! b\n");
    await press("ArrowLeft", "ArrowLeft");
    expect(await written()).toBe("yx^2|");
    await press("Home", "ArrowLeft");
    await page.keyboard.type("?");
    expect(await markdownNow()).toBe("A ?$yx^2$! b\n");
    expect(await shown().innerHTML()).toContain("<mi>y</mi>");
  });

  it("the caret opens the source of one on lines of its own, which is shown while it is written", {
    meta: { proves: ["web.editor.formulas"] },
    timeout,
  }, async () => {
    await open("Above\n\n$$\na\n$$\n\nBelow");
    await press("ArrowDown");
    expect(await written()).toBe("|a");
    await page.keyboard.type("\\frac 1");
    await press("Enter");
    expect(await shown().innerHTML()).toContain("<mfrac>");
    await press("ArrowUp", "ArrowUp");
    expect(await written()).toBeNull();
    await press("ArrowDown", "ArrowDown", "ArrowDown");
    await page.keyboard.type("Still b");
    expect(await markdownNow()).toBe("Above\n\n$$\n\\frac 1\na\n$$\n\nStill bBelow\n");
    await press("Home", "ArrowUp");
    expect(await written()).toBe("\\frac 1\na|");
    await press("Control+Enter");
    expect(await written()).toBeNull();
  });

  it("a click opens the source, Escape and Enter close it, and an empty one is removed", {
    meta: { proves: ["web.editor.formulas"] },
    timeout,
  }, async () => {
    await open("A $x$ b");
    await shown().click();
    expect(await written()).toBe("|x");
    await page.keyboard.type("z");
    await press("Enter");
    expect(await written()).toBeNull();
    expect(await markdownNow()).toBe("A $z$ b\n");
    await shown().click();
    await press("Escape");
    expect(await field().isVisible()).toBe(false);
    await shown().click();
    await field().fill("");
    await page
      .getByText("A", { exact: false })
      .first()
      .click({ position: { x: 2, y: 5 } });
    expect(await markdownNow()).toBe("A  b\n");
    expect(await shown().count()).toBe(0);
  });

  it("one with a fault is its source with the reason, until it is mended; what Markdown cannot write is not saved", {
    meta: { proves: ["web.editor.formulas"] },
    timeout,
  }, async () => {
    await open("A $\\foo$ b");
    expect(await shown().textContent()).toMatch(/^\\foo \(Unsupported function name: \\foo.*\)$/);
    expect(await shown().getAttribute("aria-label")).toContain("Unsupported");
    await shown().click();
    await field().fill("a$b");
    expect(await field().getAttribute("aria-invalid")).toBe("true");
    expect(await markdownNow()).toBe("A $\\foo$ b\n");
    await field().fill("\\alpha");
    await press("Escape");
    expect(await shown().innerHTML()).toBe("<math><mi>α</mi></math>");
    expect(await markdownNow()).toBe("A $\\alpha$ b\n");
  });

  it("what others write stands beside and in an open source, whose caret stays; one that they remove gives it back", {
    meta: { proves: ["web.editor.formulas", "web.editor.together"] },
    timeout,
  }, async () => {
    await open("A $a+b$ c");
    await shown().click();
    await press("Home", "ArrowRight", "ArrowRight");
    await page.evaluate(() => formulas.writeFirst("Theirs "));
    expect(await written()).toBe("a+|b");
    await page.evaluate(() => formulas.changeFormula("2a+b"));
    expect(await written()).toBe("2a+|b");
    await page.keyboard.type("3");
    expect(await markdownNow()).toBe("Theirs A $2a+3b$ c\n");
    await page.evaluate(() => formulas.changeFormula());
    await page.keyboard.type("mine");
    expect(await markdownNow()).toBe("Theirs A mine c\n");
  });

  it("others change nothing in a source in which an input method writes, until it has written", {
    meta: { proves: ["web.editor.formulas", "web.editor.together"] },
    timeout,
  }, async () => {
    await open("A $a+b$ c");
    await shown().click();
    await press("End");
    const keyboard = await page.context().newCDPSession(page);
    await keyboard.send("Input.imeSetComposition", { text: "に", selectionStart: 1, selectionEnd: 1 });
    await page.evaluate(() => formulas.changeFormula("2a+b"));
    await page.evaluate(() => formulas.writeFirst("Theirs "));
    await keyboard.send("Input.imeSetComposition", { text: "にほ", selectionStart: 2, selectionEnd: 2 });
    expect(await written()).toBe("a+bにほ|");
    await keyboard.send("Input.insertText", { text: "日本" });
    await keyboard.detach();
    await expect.poll(markdownNow).toMatch(/^Theirs A /);
    expect(await written()).toMatch(/^2a\+b/);
  });

  it("typing makes one: in a line with the sign after the second dollar, on lines of its own after two", {
    meta: { proves: ["web.editor.formulas"] },
    timeout,
  }, async () => {
    await open("");
    await page.keyboard.type("**So $E=mc^2$, $5 and $6.");
    expect(await markdownNow()).toBe("\\*\\*So $E=mc^2$, \\$5 and \\$6.\n");
    await press("Enter");
    await page.keyboard.type("$$ a^2");
    await press("Escape");
    await page.keyboard.type("End");
    expect(await markdownNow()).toBe("\\*\\*So $E=mc^2$, \\$5 and \\$6.\n\n$$\na^2\n$$\n\nEnd\n");
  });

  it("one that is copied is LaTeX as text, and a formula where it is pasted", {
    meta: { proves: ["web.editor.formulas"] },
    timeout,
  }, async () => {
    await open("A $x^2$\n\n$$\ny\n$$\n\nEnd");
    expect(await page.evaluate(() => formulas.copyToEnd(0))).toBe("A $x^2$");
    expect(await page.evaluate(() => formulas.copyToEnd(1))).toBe("$$\ny\n$$");
    expect(await markdownNow()).toBe("A $x^2$\n\n$$\ny\n$$\n\nEnd\n\nA $x^2$\n\n$$\ny\n$$\n");
    expect(await shown().count()).toBe(4);
  });

  it.each([
    [
      "raised and lowered",
      "\\raisebox{-4em}{\\raisebox{-3.9em}{\\colorbox{red}{wide words}}}\\raisebox{3.9em}{\\raisebox{3.8em}{\\colorbox{red}{words}}}",
    ],
    [
      "to the left and right",
      "\\llap{\\colorbox{red}{to the left of the text}}\\rlap{\\raise3em{\\colorbox{red}{right of it, over all that is there}}}",
    ],
    ["with no height", "\\smash{\\begin{matrix}a\\\\b\\\\c\\\\d\\\\e\\\\f\\\\g\\\\h\\\\i\\\\j\\end{matrix}}"],
  ])(
    "one paints nothing over the text around it: %s",
    { meta: { proves: ["web.formulas.inside"] }, timeout },
    async (_name, latex) => {
      await open(`${"Above. ".repeat(40)}\n\nA $${latex}$\n\n${"Below. ".repeat(40)}`);
      expect(await shown().innerHTML()).toContain("<mpadded");
      expect(await page.evaluate(() => formulas.pointsOfFormulas())).toEqual([]);
    },
  );

  it("nobody opens the source who may not write", { meta: { proves: ["web.editor.access"] }, timeout }, async () => {
    const doc = JSON.stringify(parseMarkdown("A $x$\n\n$$\ny\n$$"));
    await page.evaluate((json) => formulas.openToRead(json), doc);
    for (const formula of await shown().all()) await formula.click();
    await press("Enter", "ArrowLeft");
    expect(await field().count()).toBe(0);
  });
});
