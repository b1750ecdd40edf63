import { shownText } from "@kb/testing/renderers";
import { describe, expect, test } from "vitest";
import { toHtml, toPlainText } from "../src/index.ts";
import { corpusIsWhole, corpusName, realFiles } from "./corpus.ts";
import { holdsForText } from "./laws.ts";
import { lostWords, words } from "./words.ts";

const files = realFiles();
const name = corpusName(files.length);
const timeout = 600_000;

/** A link in an HTML block, which the other reader shows as it is written, where we may read it: within a directive. */
const unreadLink = /\[([^[\]]*)\]\(https?:[^()\s]*\)/g;

if (!corpusIsWhole) process.stdout.write(`LEFT OUT: the whole corpus; read instead: ${name}\n`);

/** Markup that the other reader takes for words: shortcodes, heading ids, names of directives. */
const markup = /:[a-z0-9_+-]+:|\{#[^\s{}]+\}|:::[A-Za-z]+/g;

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
    let count = 0;
    const losses = files.flatMap(({ path, text }) => {
      const expected = words(shownText(text).replaceAll(unreadLink, "$1").replaceAll(markup, " "));
      count += expected.length;
      const lost = lostWords(expected, words(toPlainText(holdsForText(text).doc).replaceAll(unreadLink, "$1")));
      return lost.length > 0 ? [{ path, lost: lost.slice(0, 10), times: lost.length }] : [];
    });
    process.stdout.write(`plain text: ${count.toLocaleString("en")} words of ${files.length} files\n`);
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
