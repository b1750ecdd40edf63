import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DocJSON, KnownBlocks, type NodeJSON, normalize, parseMarkdown, serializeMarkdown } from "../src/index.ts";
import { serializeMarkdown as serializeOnDemand } from "../src/on-demand.ts";
import { serializeMarkdown as serializeOnly } from "../src/serialize-only.ts";
import { documents } from "../src/testing/documents.ts";
import { runs } from "./runs.ts";

/** The result of a call, or its error. */
function outcome(call: () => unknown): unknown {
  try {
    return { returned: call() };
  } catch (error) {
    return { thrown: String(error), details: error };
  }
}

/** Compares what a call returns with what it returns without known blocks: twice, so that the second finds what the first left. */
function expectSame(doc: DocJSON, known: KnownBlocks, limits: { depth?: number; nodes?: number } = {}): void {
  const normal = normalize(doc);
  // Blocks in normal form are the same objects.
  const kept = normal.doc.content.map((block, index) => block === doc.content[index]);
  const written = outcome(() => serializeMarkdown(doc, { limits }));
  const strict = outcome(() => serializeMarkdown(doc, { limits, strict: true }));
  for (let time = 0; time < 2; time += 1) {
    const again = normalize(doc, { known });
    expect(again).toEqual(normal);
    expect(again.doc.content.map((block, index) => block === doc.content[index])).toEqual(kept);
    expect(outcome(() => serializeMarkdown(again.doc, { limits, known }))).toEqual(written);
    expect(outcome(() => serializeMarkdown(doc, { limits, known }))).toEqual(written);
    expect(outcome(() => serializeMarkdown(doc, { limits, strict: true, known }))).toEqual(strict);
  }
}

const place = fc.nat({ max: 1_000 });
/** Changes of the blocks of a document, each as an editor makes it: the blocks that are not changed are the same objects. */
const edit = fc.oneof(
  fc.record({ kind: fc.constant("move" as const), from: place, to: place }),
  fc.record({ kind: fc.constant("repeat" as const), from: place, to: place }),
  fc.record({ kind: fc.constant("remove" as const), from: place }),
  fc.record({ kind: fc.constant("copy" as const), from: place }),
  fc.record({ kind: fc.constant("insert" as const), to: place, blocks: documents.map(({ content }) => content) }),
);

function edited({ content }: DocJSON, change: typeof edit extends fc.Arbitrary<infer Edit> ? Edit : never): DocJSON {
  const blocks = [...content];
  const at = (index: number): number => index % (blocks.length + 1);
  const from = "from" in change ? change.from % blocks.length : 0;
  const block = blocks[from];
  if (block === undefined) throw new Error("a document has a block");
  if (change.kind === "insert") blocks.splice(at(change.to), 0, ...change.blocks);
  else if (change.kind === "copy") blocks[from] = structuredClone(block);
  else {
    if (change.kind !== "repeat" && blocks.length > 1) blocks.splice(from, 1);
    if (change.kind !== "remove") blocks.splice(at(change.to), 0, block);
  }
  return { type: "doc", content: blocks };
}

describe("known blocks", () => {
  test("change no result, whatever is edited in between", () => {
    fc.assert(
      fc.property(documents, fc.array(edit, { minLength: 1, maxLength: 4 }), (first, edits) => {
        const known = new KnownBlocks();
        let doc = first;
        expectSame(doc, known);
        for (const change of edits) {
          doc = edited(doc, change);
          expectSame(doc, known);
          // An editor goes on from the normal form.
          if (change.kind === "copy") doc = normalize(doc, { known }).doc;
        }
      }),
      runs(1_000),
    );
  });

  const read = (markdown: string): NodeJSON[] => parseMarkdown(markdown).content;
  const doc = (...content: NodeJSON[]): DocJSON => ({ type: "doc", content });

  test("are written by their neighbours: rules at the top, lists beside lists, footnotes that are defined or not", () => {
    const known = new KnownBlocks();
    const [rule, bullets, ordered, note, definition, html] = read(
      "***\n\n- a\n\n1. b\n\nSee[^n].\n\n[^n]: Note\n\n<div>\nx\n</div>",
    );
    if (!rule || !bullets || !ordered || !note || !definition || !html) throw new Error("six blocks");
    const tight = { ...html, attrs: { ...html.attrs, tight: true } };
    for (const blocks of [
      [rule, rule, bullets, bullets, ordered, ordered],
      [bullets, rule, bullets, ordered, bullets, bullets, bullets],
      [note, definition, rule],
      [note, rule],
      [definition, note],
      [bullets, tight, note, tight],
      [tight, bullets, html],
    ]) {
      expectSame(doc(...blocks), known);
    }
    expect(serializeMarkdown(doc(bullets, bullets, rule), { known })).toBe("- a\n\n* a\n\n---\n");
    expect(serializeMarkdown(doc(rule, bullets), { known })).toBe("***\n\n- a\n");
  });

  test("count as nodes, and are as deep as they are", () => {
    const known = new KnownBlocks();
    const quotes = doc(...read("> > a\n\nb\n\nc"));
    expectSame(quotes, known);
    for (const nodes of [1, 4, 8, 9, 10, 20]) expectSame(quotes, known, { nodes });
    for (const depth of [1, 2, 100, 1]) expectSame(quotes, known, { depth });
  });

  test("of one writer are not those of another, or of another spelling", () => {
    const known = new KnownBlocks();
    const emoji = doc(...read("a :smile\\: b :nothing\\: <u>c</u>\n\n- d"), { type: "paragraph" });
    const emit = { underline: "++", bullet: "+" } as const;
    for (let time = 0; time < 2; time += 1) {
      expect(serializeMarkdown(emoji, { known })).toBe(serializeMarkdown(emoji));
      const given: object = { known };
      expect(serializeOnly(emoji, given)).toBe(serializeOnly(emoji));
      expect(serializeOnDemand(emoji, given)).toBe(serializeOnDemand(emoji));
      expect(serializeMarkdown(emoji, { emit, known })).toBe(serializeMarkdown(emoji, { emit }));
    }
  });
});
