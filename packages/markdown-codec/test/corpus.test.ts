import { describe, expect, test } from "vitest";
import { toHtml, toPlainText } from "../src/index.ts";
import { corpusIsWhole, corpusName, realFiles } from "./corpus.ts";
import { holdsForText } from "./laws.ts";
import { mdastText, mistakesList } from "./read-mdast.ts";
import { lostWords, words } from "./words.ts";

const files = realFiles();
const name = corpusName(files.length);
const timeout = 600_000;

if (!corpusIsWhole) process.stdout.write(`LEFT OUT: the whole corpus; read instead: ${name}\n`);

/** What is markup here and words to remark: shortcodes, heading ids, our tags. */
const markup = /:[a-z0-9_+-]+:|\{#[^\s{}]+\}|<\/?(?:u|ins|s|del|strong|b|em|i|mark|sub|sup|br) ?\/?>/g;

describe(`real documents: ${name}`, () => {
  test("there are as many as there should be", () => {
    expect(files.length).toBe(corpusIsWhole ? 2_569 : 42);
  });

  test("every file is read in normal form, survives writing, and is a fixpoint after one pass", { timeout }, () => {
    const broken = files.filter(({ text }) => {
      try {
        holdsForText(text);
        return false;
      } catch {
        return true;
      }
    });
    expect(broken.map((file) => file.path)).toEqual([]);
  });

  test("plain text keeps every word that another reader (remark) finds", { timeout }, () => {
    const part = process.env.KB_FUZZ_RUNS ? files : files.filter((_, index) => index % 8 === 0 || !corpusIsWhole);
    const compared = part.filter(({ text }) => !mistakesList(text));
    expect(compared.length).toBeGreaterThan(part.length * 0.95);
    let count = 0;
    const losses = compared.flatMap(({ path, text }) => {
      const expected = words(mdastText(text).replaceAll(markup, " "));
      count += expected.length;
      const lost = lostWords(expected, words(toPlainText(holdsForText(text).doc)));
      return lost.length > 0 ? [{ path, lost: lost.slice(0, 10), times: lost.length }] : [];
    });
    process.stdout.write(
      `plain text: ${count.toLocaleString("en")} words of ${compared.length} files (${part.length - compared.length} left out: remark takes a list of theirs for text)\n`,
    );
    expect(losses).toEqual([]);
  });

  test("HTML holds no script, no handler and no address that runs", { timeout }, () => {
    const unsafe = files.filter(({ text }) => {
      const html = toHtml(holdsForText(text).doc);
      return /<script|<[^>]*\son\w+\s*=\s*"|(?:href|src)="\s*(?:javascript|vbscript|data|file):/i.test(html);
    });
    expect(unsafe.map((file) => file.path)).toEqual([]);
  });
});
