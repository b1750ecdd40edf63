import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startChromium, timeout } from "@kb/testing/chromium";
import { threadMs } from "@kb/testing/growth";
import { withWatchedContext } from "@kb/testing/page-problems";
import { parseMarkdown, serializeMarkdown } from "markdown-codec";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withoutStyles } from "../src/client/editor/paste.ts";
import { pagePolicy } from "../src/server/policy.ts";
import { pageScript } from "./editor-page-script.ts";
import type { paste as pasteInPage } from "./editor-paste-page.ts";
import { picture } from "./screens.ts";

declare const pasting: { readonly paste: typeof pasteInPage };

const folder = join(import.meta.dirname, "fixtures/pasted");
const read = (name: string): string => readFileSync(join(folder, name), "utf8");
const origin = "http://editor.test";

/** The name of what is pasted, its HTML, and the Markdown that it is. */
const looks = [
  ["a quoted bracket before a style", '<p title="a > b" style="color:red">Text</p>', "Text\n"],
  ["a quote too many", `<p title="a"b" style='color:red' onclick=ran()>Text</p>`, "Text\n"],
  ["bold text that is not", '<strong style="font-weight: normal">Text</strong>', "Text\n"],
  ["a heading with a bold word", "<h2>A <b>bold</b> word</h2>", "## A **bold** word\n"],
  ["lines and paragraphs", "One<br>line<br><br>Another", "One\\\nline\n\nAnother\n"],
  ["a table for a frame", "<table><tr><td><h2>Plan</h2><p>Text</p></td></tr></table>", "## Plan\n\nText\n"],
  [
    "a table in a cell",
    "<table><tr><th>a<th>b<tr><td>1<td><table><tr><td>x<td>y<tr><td>z<td></table></table>",
    "| a | b |\n| --- | --- |\n| 1 | x<br>y<br>z |\n",
  ],
  [
    "rows of different lengths",
    "<table><tr><td>a<tr><td>b<td>c<td>d</table>",
    "| a |  |  |\n| --- | --- | --- |\n| b | c | d |\n",
  ],
  ["a drawing as an address of data", '<p>Text<img src="data:image/svg+xml,%3Csvg%3E"></p>', "Text\n"],
  ["a damaged picture as an address of data", '<p>Text<img src="data:image/png;base64,A-B"></p>', "Text\n"],
  [
    "a link that Google counts",
    '<a href="https://www.google.com/url?q=https://a.org/b&sa=D">it</a>',
    "[it](https://a.org/b)\n",
  ],
  [
    "a formula",
    '<p>So <span class="katex"><math><semantics><annotation encoding="application/x-tex">a^2</annotation></semantics></math><span aria-hidden="true">a2</span></span>.</p>',
    "So $a^2$.\n",
  ],
  [
    "levels that are left out",
    '<p style="mso-list:l0 level3 lfo1">a</p><p style="mso-list:l0 level1 lfo1">b</p>',
    "- a\n- b\n",
  ],
  ["only empty paragraphs", "<p>Text</p><p><br></p><p>&nbsp;</p>", "Text\n"],
] as const;

describe("what is pasted into the editor, under the policy of its page", () => {
  let browser: Browser;
  let scripts: ReadonlyMap<string, string>;
  beforeAll(async () => {
    browser = await startChromium();
    const { script, worker } = await pageScript("editor-paste-page.ts", "pasting", "/worker.js");
    scripts = new Map([
      [`${origin}/script.js`, script],
      [`${origin}/worker.js`, worker],
    ]);
  });
  afterAll(() => browser?.close(), timeout);

  const onPage = (use: (page: Page) => Promise<void>): Promise<void> =>
    withWatchedContext(browser, {}, async (context) => {
      await context.route(`${origin}/**`, (route) => {
        const script = scripts.get(route.request().url());
        return script !== undefined
          ? route.fulfill({ contentType: "text/javascript", body: script })
          : route.fulfill({
              contentType: "text/html",
              headers: { "Content-Security-Policy": pagePolicy },
              body: '<!doctype html><html lang="en"><title>Editor</title><script src="/script.js"></script><body></body></html>',
            });
      });
      await context.route(/^https:/, (route) => route.fulfill({ contentType: "image/gif", body: picture }));
      const page = await context.newPage();
      await page.goto(`${origin}/`);
      await use(page);
    });

  /**
   * Pastes into an empty document, or at the end of another, or before a text in it, or over all from that text to before another. Returns
   * its Markdown, which reads back as the same document.
   */
  const paste = async (
    page: Page,
    clipboard: Record<string, string>,
    into?: object,
    before?: string,
    until?: string,
  ): Promise<string> => {
    const json = into === undefined ? undefined : JSON.stringify(into);
    const shown = await page.evaluate(([types, doc, from, to]) => pasting.paste(types, doc, from, to), [
      clipboard,
      json,
      before,
      until,
    ] as const);
    const markdown = serializeMarkdown(JSON.parse(shown));
    expect(serializeMarkdown(parseMarkdown(markdown))).toBe(markdown);
    return markdown;
  };

  it.each(["word", "google-docs", "notion", "google-sheets", "libreoffice", "slack", "github", "vscode"])(
    "%s: becomes the document that a person expects, and nothing is reported",
    { meta: { proves: ["web.editor.paste"] }, timeout },
    (name) =>
      onPage(async (page) => {
        const clipboard = { "text/html": read(`${name}.html`), "text/plain": "The same as text" };
        expect(await paste(page, clipboard)).toBe(read(`${name}.md`));
      }),
  );

  it(
    "markdown: becomes what it means, code of VS Code a block with its language, and other text itself",
    {
      meta: { proves: ["web.editor.paste"] },
      timeout,
    },
    () =>
      onPage(async (page) => {
        expect(await paste(page, { "text/plain": read("markdown.txt") })).toBe(read("markdown.md"));
        const code = { "text/plain": "a = 1\nb = 2\n", "text/html": read("vscode.html") };
        const of = (mode: string) => ({ "vscode-editor-data": JSON.stringify({ version: 1, mode }) });
        expect(await paste(page, { ...code, ...of("python") })).toBe("```python\na = 1\nb = 2\n```\n");
        expect(await paste(page, { ...code, "text/plain": "run()", ...of("python") })).toBe("`run()`\n");
        expect(await paste(page, { ...code, "text/plain": "# Plan\n\n- a", ...of("markdown") })).toBe(
          "# Plan\n\n- a\n",
        );
        expect(await paste(page, { ...code, "text/plain": "One\nTwo", ...of("plaintext") })).toBe("One\n\nTwo\n");
      }),
  );

  it(
    "what only looks like something else is read as people see it",
    {
      meta: { proves: ["web.editor.paste"] },
      timeout,
    },
    () =>
      onPage(async (page) => {
        for (const [name, html, markdown] of looks) {
          expect(await paste(page, { "text/html": html }), name).toBe(markdown);
        }
      }),
  );

  it(
    "a range that is pasted into a table fills its cells from the caret on, and adds the rows and columns that it lacks",
    {
      meta: { proves: ["web.editor.paste"] },
      timeout: 2 * timeout,
    },
    () =>
      onPage(async (page) => {
        const table = parseMarkdown("| a | b | c |\n| :-- | --- | --: |\n| 1 | 2 | 3 |\n\nEnd\n");
        const html = "<table><tr><th>x</th><th>y</th></tr><tr><td><b>z</b></td><td></td></tr></table>";
        const fill = (clipboard: Record<string, string>, before: string): Promise<string> =>
          paste(page, clipboard, table, before);
        const rows = (...lines: string[]): string => `${lines.map((line) => `| ${line} |\n`).join("")}\nEnd\n`;
        expect(await fill({ "text/html": html }, "a")).toBe(rows("x | y | c", ":-- | --- | --:", "**z** |  | 3"));
        expect(await fill({ "text/html": html }, "3")).toBe(
          rows("a | b | c | ", ":-- | --- | --: | ---", "1 | 2 | x | y", " |  | **z** | "),
        );
        const spans = '<table><tr><td colspan="2">x</td><td>y</td></tr></table>';
        expect(await fill({ "text/html": spans }, "1")).toBe(rows("a | b | c", ":-- | --- | --:", "x |  | y"));
        const sheet = { "text/html": read("google-sheets.html"), "text/plain": "The same as text" };
        const lines = read("google-sheets.md").trim().split("\n").toSpliced(1, 1);
        expect(await fill(sheet, "a")).toContain(lines.at(-1)?.replace(/\|$/, ""));
        const tabs = 'x\t"y ""1""\nline"\r\nz\t*w*\r\n';
        expect(await fill({ "text/plain": tabs }, "2")).toBe(
          rows("a | b | c", ":-- | --- | --:", '1 | x | y "1"<br>line', " | z | \\*w\\*"),
        );
        const own = "| x | y |\n| --- | --- |\n| z | w |\n";
        expect(await fill({ "text/plain": own }, "2")).toBe(
          rows("a | b | c", ":-- | --- | --:", "1 | x | y", " | z | w"),
        );
        expect(await fill({ "text/html": "<p>x</p>" }, "2")).toBe(rows("a | b | c", ":-- | --- | --:", "1 | x2 | 3"));
        expect(await fill({ "text/plain": "x\ty" }, "End")).toContain("| 1 | 2 | 3 |");
      }),
  );

  it(
    "text with tabs fills cells with the first paste of a page too, and replaces a selection that ends outside of its table",
    {
      meta: { proves: ["web.editor.paste"] },
      timeout,
    },
    () =>
      onPage(async (page) => {
        const table = parseMarkdown("| a | b |\n| --- | --- |\n| 1 | 2 |\n\nEnd here\n");
        const tabs = { "text/plain": "x\ty" };
        expect(await paste(page, tabs, table, "1")).toBe("| a | b |\n| --- | --- |\n| x | y |\n\nEnd here\n");
        const replaced = await paste(page, tabs, table, "2", "here");
        expect(replaced).not.toContain("End");
        expect(replaced).toContain("| 1 | x");
      }),
  );

  it("footnotes that are pasted get labels that the document does not have", { timeout }, () =>
    onPage(async (page) => {
      const doc = parseMarkdown("Here[^1].\n\n[^1]: Kept.\n\nEnd ");
      const markdown = await paste(page, { "text/plain": "**There**[^1].\n\n[^1]: Added." }, doc);
      expect(markdown).toContain("**There**[^2].");
      expect(markdown).toContain("[^1]: Kept.");
      expect(markdown).toContain("[^2]: Added.");
    }),
  );

  it("a megabyte of tags without an end is read at once", () => {
    for (const html of ['<a "'.repeat(250_000), "<a '\"".repeat(200_000), '<a b="c'.repeat(140_000)]) {
      const before = threadMs();
      withoutStyles(html);
      expect(threadMs() - before).toBeLessThan(2_000);
    }
  });
});
