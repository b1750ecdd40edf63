import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startChromium, timeout } from "@kb/testing/chromium";
import { withWatchedContext } from "@kb/testing/page-problems";
import { parseMarkdown, serializeMarkdown } from "markdown-codec";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pagePolicy } from "../src/server/policy.ts";
import { pageScript } from "./editor-page-script.ts";
import type { paste as pasteInPage } from "./editor-paste-page.ts";

declare const pasting: { readonly paste: typeof pasteInPage };

const folder = join(import.meta.dirname, "fixtures/pasted");
const read = (name: string): string => readFileSync(join(folder, name), "utf8");
const origin = "http://editor.test";

describe("what is pasted into the editor, under the policy of its page", () => {
  let browser: Browser;
  let script: string;
  beforeAll(async () => {
    browser = await startChromium();
    ({ script } = await pageScript("editor-paste-page.ts", "pasting"));
  }, 120_000);
  afterAll(() => browser?.close(), timeout);

  const onPage = (use: (page: Page) => Promise<void>): Promise<void> =>
    withWatchedContext(browser, {}, async (context) => {
      await context.route(`${origin}/**`, (route) =>
        route.request().url().endsWith("/script.js")
          ? route.fulfill({ contentType: "text/javascript", body: script })
          : route.fulfill({
              contentType: "text/html",
              headers: { "Content-Security-Policy": pagePolicy },
              body: '<!doctype html><html lang="en"><title>Editor</title><script src="/script.js"></script><body></body></html>',
            }),
      );
      const page = await context.newPage();
      await page.goto(`${origin}/`);
      await use(page);
    });

  /** Pastes into an empty document, or at the end of another; returns its Markdown, which reads back as the same document. */
  const paste = async (page: Page, clipboard: Record<string, string>, into?: object): Promise<string> => {
    const json = into === undefined ? undefined : JSON.stringify(into);
    const shown = await page.evaluate(([types, doc]) => pasting.paste(types, doc), [clipboard, json] as const);
    const doc: unknown = JSON.parse(shown);
    const markdown = serializeMarkdown(doc);
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
});
