import { growthLimit, growths } from "@kb/testing/growth";
import { describe, expect, test } from "vitest";
import type { NodeJSON } from "../src/index.ts";
import { ownCodec as codec } from "./own-codec.ts";
import { refusable } from "./work-or-refusal.ts";

const timeout = 600_000;

const repeated = (part: string): ((bytes: number) => string) => {
  return (bytes) => part.repeat(Math.ceil(bytes / part.length)).slice(0, bytes);
};

const kinds: [name: string, make: (bytes: number) => string][] = [
  ["beginnings within a line", repeated("{{")],
  ["beginnings with a source that is none", repeated("{{a ")],
  ["constructs side by side", repeated("{{2026-11-23}}")],
  ["beginnings with another end", repeated("(?")],
  ["runs of the sign of a mark", repeated("%%")],
  ["beginnings of a mark", repeated(" %%a")],
  ["marks side by side", repeated("%%a%%")],
  ["marks across each other", repeated("%%a''b%%c''")],
  ["beginnings of a mark with attributes", repeated("??{")],
  ["beginnings with attributes", repeated("??{a1}")],
  ["marks with attributes side by side", repeated("??{a1}a????{b-2}b??")],
  ["attributes without their end", repeated("??{aaaaaaaaaaaaaaaaaaaaaaaa ")],
  ["lines that begin a block", repeated("@@ https://a\n\n")],
  ["lines that are none", repeated("@@ a\n\n")],
  ["directives without their end", repeated(":::figure\n")],
  ["directives side by side", repeated(":::figure\na\n:::\n\n")],
  ["fences without their end", repeated("```chart\n")],
  ["breaks within a mark", (bytes) => `%%${repeated("a\\\n")(bytes - 4)}b%%`],
];

function wholeWay(text: string): void {
  const doc = codec.parseMarkdown(text);
  codec.serializeMarkdown(doc);
  codec.toHtml(doc);
  codec.toPlainText(doc);
}

/** Blocks within each other, built without recursion. */
function deep(depth: number, type: string): NodeJSON {
  let node: NodeJSON = { type: "paragraph" };
  for (let level = 0; level < depth; level++) node = { type, attrs: { caption: null }, content: [node] };
  return node;
}

describe("hostile input for an integrator's constructs", () => {
  test.for(kinds)("%s: from 25 to 50 to 100 kB time grows at most 2.6 times per doubling", { timeout }, ([, make]) => {
    const works = [25_000, 50_000, 100_000].map((bytes) => {
      const text = make(bytes);
      return refusable(() => wholeWay(text));
    });
    for (const step of growths(works, 40)) expect(step).toBeLessThanOrEqual(growthLimit);
  });

  test("5,000 levels are NESTING in Markdown and in JSON, and no stack overflows", () => {
    const levels = Array.from({ length: 1_000 }, (_, level) => ":".repeat(level + 3));
    const closed = [...levels.toReversed().map((colons) => `${colons}figure`), ...levels].join("\n");
    const quoted = `${"> ".repeat(5_000)}:::figure\n${"> ".repeat(5_000)}:::`;
    const nesting = expect.objectContaining({ name: "CodecError", code: "NESTING" });
    for (const markdown of [closed, quoted]) expect(() => codec.parseMarkdown(markdown)).toThrow(nesting);
    for (const depth of [300, 900, 5_000]) {
      const doc = { type: "doc" as const, content: [deep(depth, "figure")] };
      expect(() => codec.normalize(doc)).toThrow(nesting);
      expect(() => codec.serializeMarkdown(doc)).toThrow(nesting);
      expect(() => codec.append(doc, "a")).toThrow(nesting);
      expect(codec.validate(doc)).toMatchObject({ ok: false, issues: [{ code: "NESTING" }] });
    }
    expect(() => codec.toHtml({ type: "doc", content: [deep(5_000, "figure")] })).toThrow(nesting);
    expect(() => codec.toPlainText({ type: "doc", content: [deep(5_000, "figure")] })).toThrow(nesting);
  });
});
