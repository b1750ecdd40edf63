import { timeout } from "@kb/testing/chromium";
import fc from "fast-check";
import { parseMarkdown } from "markdown-codec";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { actions, runActions, share } from "./editor-key-scripts.ts";
import type { openText, readText } from "./editor-keys-page.ts";
import { type KeysPage, openKeysPage, partOfArabicText, partOfText } from "./open-keys-page.ts";

declare const writing: { readonly openText: typeof openText; readonly readText: typeof readText };

const scripts = Number(process.env.KB_KEY_SCRIPTS ?? 60);
/** What has controls of its own. */
const controls =
  "- [ ] open\n- [x] done\n\n<!-- a comment -->\n\nText with $x^2$ and ![a](https://example.org/a.png).\n\n$$\ny\n$$\n\n> [!NOTE]+ Box\n> inside\n\n<details>\n<summary>More</summary>\n\nfolded\n\n</details>\n\nWords[^1].\n\n[^1]: A note.\n";

/** A press on one of the elements of the text, and what follows it. */
const script = fc.array(fc.tuple(share, fc.array(actions, { maxLength: 4 })), {
  minLength: 2,
  maxLength: 4,
});

describe("a text that somebody may only read", () => {
  let opened: KeysPage | undefined;
  beforeAll(async () => {
    opened = await openKeysPage(".around { position: relative; margin: 0 3rem; }");
  });
  afterAll(() => opened?.close(), timeout);

  it(`stays as it is after ${scripts} random scripts of presses and of what somebody who writes does, but for what others write`, {
    meta: { proves: ["web.editor.keys"] },
    timeout: scripts * 2_000,
  }, async () => {
    if (opened === undefined) throw new Error("No page is open");
    const { page, devtools, errors } = opened;
    const seed = Number(process.env.KB_FUZZ_SEED ?? Date.now());
    const texts = [controls, partOfText + controls, (partOfText + controls).repeat(12), partOfArabicText.repeat(30)];
    let others = 0;
    for (const [index, presses] of fc.sample(script, { numRuns: scripts, seed }).entries()) {
      const name = `script ${index} of seed ${seed}: ${JSON.stringify(presses)}`;
      const text = JSON.stringify(parseMarkdown(texts[index % texts.length] ?? controls));
      await page.evaluate((json) => writing.openText(json, true, false), text);
      const { json: before } = await page.evaluate(() => writing.readText());
      for (const [share, following] of presses) {
        const elements = page.locator(".editor *:visible");
        await elements
          .nth(Math.floor(share * (await elements.count())))
          .click({ position: { x: 2, y: 2 }, force: true });
        await runActions({ page, devtools }, following);
      }
      const { json, shown, expected, misplaced } = await page.evaluate(() => writing.readText());
      const written = /theirs |meanwhile /g;
      others += json.match(written)?.length ?? 0;
      expect(json.replace(written, ""), name).toBe(before);
      expect(shown, name).toBe(expected);
      expect(misplaced, name).toEqual([]);
      expect(errors.splice(0), name).toEqual([]);
    }
    expect(others).toBeGreaterThan(0);
  });
});
