import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DocJSON, normalize, parseMarkdown, serializeMarkdown } from "../src/index.ts";
import * as only from "../src/serialize-only.ts";
import { cases, documents, texts } from "../src/testing.ts";
import { realFiles } from "./corpus.ts";
import { hostileDocuments } from "./hostile-documents.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { BrokenLaw } from "./laws.ts";
import { ordinaryDocuments } from "./ordinary-documents.ts";
import { isRefused } from "./refused.ts";
import { report, runs } from "./runs.ts";

const timeout = 3_600_000;

/** Holds that a document in normal form is read again from what the writer without a reader makes of it. */
function survives(doc: DocJSON): void {
  const markdown = only.serializeMarkdown(doc);
  for (const cjkFriendly of [false, true]) {
    const read = parseMarkdown(markdown, { cjkFriendly });
    if (!isDeepStrictEqual(read, doc)) throw new BrokenLaw("parse(serialize(doc)) is doc", { doc, markdown, read });
  }
}

function forAll<Value>(
  name: string,
  values: fc.Arbitrary<Value>,
  cases: number,
  docOf: (value: Value) => DocJSON,
): void {
  const chosen = runs(cases);
  const holds = (value: Value): void => {
    try {
      survives(docOf(value));
    } catch (error) {
      if (!isRefused(error)) throw error;
    }
  };
  fc.assert(fc.property(values, holds), chosen);
  report(name, chosen);
}

describe("the writer without a reader", () => {
  test("writes what parseMarkdown reads as the same document, for documents", { timeout }, () => {
    forAll("ordinary documents", ordinaryDocuments, 1_000, (doc) => normalize(doc).doc);
    forAll("hostile documents", hostileDocuments, 1_200, (doc) => normalize(doc).doc);
    forAll("documents of markdown-codec/testing", documents, 800, (doc) => normalize(doc).doc);
  });

  test("writes what parseMarkdown reads as the same document, for texts", { timeout }, () => {
    forAll("hostile texts", hostileTexts, 8_000, (text) => parseMarkdown(text));
    forAll("texts of markdown-codec/testing", texts, 4_000, (text) => parseMarkdown(text));
  });

  test.for([...cases])("writes the hand-written case so that it survives: $name", ({ markdown }) => {
    survives(parseMarkdown(markdown));
  });

  test("writes nearly all real files as the main entry does", { timeout: 600_000 }, () => {
    const files = realFiles().filter((_, index, all) => index % Math.ceil(all.length / 150) === 0);
    let lines = 0;
    let other = 0;
    for (const { text } of files) {
      const doc = parseMarkdown(text);
      survives(doc);
      const full = serializeMarkdown(doc).split("\n");
      const own = only.serializeMarkdown(doc).split("\n");
      lines += full.length;
      if (own.length !== full.length) other += full.length;
      else other += full.filter((line, index) => line !== own[index]).length;
    }
    process.stdout.write(`serialize only: ${other} of ${lines} lines differ from the main entry\n`);
    expect(other).toBeLessThan(lines / 50);
  });

  test.for(["bold", "italic", "strike", "highlight", "underline"])(
    "writes %s between any characters so that it survives, with CommonMark's rule and with that of CJK",
    { timeout: 300_000 },
    (type) => {
      const signs = ["", " ", "a", "是", "，", "「", "」", "(", "$", "\u3000", "→", "😀", "*", "="];
      const pairs = signs.flatMap((left) => signs.map((right) => [left, right] as const));
      const marks = [{ type }];
      for (const [left, right] of pairs) {
        const content = pairs.map(([first, last]) => ({
          type: "paragraph",
          content: [
            { type: "text", text: `x${left}` },
            { type: "text", text: `${first}x${last}`, marks },
            { type: "text", text: `${right}x` },
          ],
        }));
        survives(normalize({ type: "doc", content }).doc);
      }
    },
  );

  test("writes tags where it would have to read again, and the same Markdown where it would not", () => {
    const line = '**a** (*b*), ~~c~~. [**d**](e) "*f*" <kbd>g</kbd> [[h]] H~2~O $x$, <!-- i -->\n';
    expect(only.serializeMarkdown(parseMarkdown(line))).toBe(line);
    expect(serializeMarkdown(parseMarkdown(line))).toBe(line);
    const inWord = parseMarkdown("a*b*c 是**粗体**的，**（粗）**。\n");
    expect(serializeMarkdown(inWord)).toBe("a*b*c 是**粗体**的，**（粗）**。\n");
    expect(only.serializeMarkdown(inWord)).toBe("a*b*c 是**粗体**的，**（粗）**。\n");
    const nested = parseMarkdown("***a** b*\n");
    expect(serializeMarkdown(nested)).toBe("***a** b*\n");
    expect(only.serializeMarkdown(nested)).toBe("<em><strong>a</strong> b</em>\n");
  });
});
