import { shownText } from "@kb/testing/renderers";
import { describe, expect, test } from "vitest";
import { toHtml, toPlainText } from "../src/index.ts";
import { corpusIsWhole, corpusName, realFiles } from "./corpus.ts";
import { holdsForText } from "./laws.ts";
import { lostWords, words } from "./words.ts";

const files = realFiles();
const name = corpusName(files.length);
const timeout = 600_000;

/** The address of a link in an HTML block, which the other reader shows as text. */
const unreadLink = /\]\(https?:[^()\s]*\)/g;

if (!corpusIsWhole) process.stdout.write(`LEFT OUT: the whole corpus; read instead: ${name}\n`);

/** Markup that the other reader takes for words: shortcodes, heading ids, names of directives. */
const markup = /:[a-z0-9_+-]+:|\{#[^\s{}]+\}|:::[a-z]+/g;

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

  test("plain text keeps every word that another reader (comrak) shows", { timeout }, () => {
    const compared = process.env.KB_FUZZ_RUNS ? files : files.filter((_, index) => index % 8 === 0 || !corpusIsWhole);
    let count = 0;
    const losses = compared.flatMap(({ path, text }) => {
      const expected = words(shownText(text).replaceAll(unreadLink, "]").replaceAll(markup, " "));
      count += expected.length;
      const lost = lostWords(expected, words(toPlainText(holdsForText(text).doc)));
      return lost.length > 0 ? [{ path, lost: lost.slice(0, 10), times: lost.length }] : [];
    });
    process.stdout.write(`plain text: ${count.toLocaleString("en")} words of ${compared.length} files\n`);
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
