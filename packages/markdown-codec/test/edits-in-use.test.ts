import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import {
  append,
  CodecError,
  type DocJSON,
  insertAfterHeading,
  parseMarkdown,
  prepend,
  replaceSection,
  replaceText,
  replaceTexts,
  serializeMarkdown,
} from "../src/index.ts";

/**
 * Edits of the kinds that assistants make, written for this test on invented pages. After `=== name` stands a page, then its edits: `$` and the call as JSON, then either
 * `!` and the error, or `@ line count`: from this line on, so many lines are gone, and those after `+` come in their place.
 */
const table = readFileSync(resolve(import.meta.dirname, "edits-in-use.txt"), "utf8");

/** A call, what it begins with, and what it has to make: Markdown, or an error. */
interface Case {
  readonly page: string;
  readonly call: readonly [name: string, first: string | readonly (readonly string[])[], second?: string];
  readonly before: string;
  readonly after: string;
}

function casesOf([page = "", ...lines]: readonly string[]): Case[] {
  const [text = "", ...calls] = lines.join("\n").split(/^\$ /m);
  return calls.map((source) => {
    const [call = "[]", head = "", ...rest] = source.split("\n");
    const [, from = "1", gone = "0"] = /^@ (\d+) (\d+)$/.exec(head) ?? [];
    const added = rest.filter((line) => line.startsWith("+")).map((line) => line.slice(1));
    const after = text.split("\n");
    after.splice(Number(from) - 1, Number(gone), ...added);
    return { page, call: JSON.parse(call), before: text, after: head.startsWith("! ") ? head : after.join("\n") };
  });
}

const cases = table
  .split(/^=== /m)
  .slice(1)
  .flatMap((section) => casesOf(section.split("\n")));

function edited(doc: DocJSON, [name, first, second = ""]: Case["call"]): DocJSON {
  if (typeof first !== "string") {
    return replaceTexts(
      doc,
      first.map(([oldText = "", newText = ""]) => ({ oldText, newText })),
    );
  }
  switch (name) {
    case "append":
      return append(doc, first);
    case "prepend":
      return prepend(doc, first);
    case "insertAfterHeading":
      return insertAfterHeading(doc, first, second);
    case "replaceSection":
      return replaceSection(doc, first, second);
    default:
      return replaceText(doc, first, second);
  }
}

function resultOf({ before, call }: Case): string {
  try {
    return serializeMarkdown(edited(parseMarkdown(before), call));
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    return `! ${error.code}${error.count === undefined ? "" : ` ${error.count}`}`;
  }
}

describe("edits as assistants make them", () => {
  test("there are 200 of them", () => {
    expect(cases.length).toBeGreaterThanOrEqual(200);
  });

  test.each(cases.map((each) => [each.page, JSON.stringify(each.call), each] as const))("%s: %s", (_, __, each) => {
    expect(serializeMarkdown(parseMarkdown(each.before))).toBe(each.before);
    expect(resultOf(each)).toBe(each.after);
  });
});
