import fc from "fast-check";
import { type DocJSON, normalize, parseMarkdown, serializeMarkdown } from "markdown-codec";
import { documents } from "markdown-codec/testing";
import { describe, expect, it } from "vitest";
import { undoChange } from "./undo-change.ts";

const runs = { numRuns: Number(process.env.KB_FUZZ_RUNS ?? 300), seed: Number(process.env.KB_FUZZ_SEED ?? Date.now()) };

const normal = (content: DocJSON): DocJSON => normalize(content).doc;

/** Takes back the change from the first text to the second in the third. */
function undo(before: string, after: string, current: string) {
  const { content, ...parts } = undoChange({
    before: parseMarkdown(before),
    after: parseMarkdown(after),
    current: parseMarkdown(current),
  });
  return { text: serializeMarkdown(normal(content)).trimEnd(), ...parts };
}

describe("undoing a change of a document", () => {
  it("keeps what was written later before, after and inside of it", () => {
    const later = "new first\n\none\n\nadded by big mistake\n\ntwo more";
    expect(undo("one\n\ntwo", "one\n\nadded by mistake\n\ntwo", later)).toEqual({
      text: "new first\n\none\n\nbig&#32;\n\ntwo more",
      undone: 1,
      left: 0,
    });
  });

  it("brings back deleted text between what was written later", () => {
    expect(undo("one\n\ngone\n\ntwo", "one\n\ntwo", "one!\n\ntwo!")).toMatchObject({ text: "one!\n\ngone\n\ntwo!" });
    expect(undo("a b c d e", "a b d e", "A b d E")).toMatchObject({ text: "A b c d E" });
  });

  it("leaves words that were replaced again since, and takes back the others", () => {
    expect(undo("red one\n\ntwo old", "blue one\n\ntwo new", "green one\n\ntwo new")).toEqual({
      text: "green one\n\ntwo old",
      undone: 1,
      left: 1,
    });
  });

  it("leaves the type and the attributes of a block that were changed again since", () => {
    expect(undo("# One", "## One", "### One")).toEqual({ text: "### One", undone: 0, left: 1 });
    expect(undo("# One", "One", "### One")).toMatchObject({ undone: 0, left: 1 });
    expect(undo("- [ ] one\n- [ ] two", "- [x] one\n- [x] two", "- [x] one more\n- [x] two")).toMatchObject({
      text: "- [ ] one more\n- [ ] two",
      left: 0,
    });
  });

  it("brings nothing back twice", () => {
    expect(undo("one\n\ngone\n\ntwo", "one\n\ntwo", "one\n\ngone\n\nmore\n\ntwo")).toMatchObject({
      undone: 0,
      left: 1,
    });
    expect(undo("one old", "one new", "one old")).toMatchObject({ undone: 0, left: 1 });
    expect(undo("one", "one\n\nadded", "one")).toMatchObject({ undone: 0, left: 1 });
  });

  it.each([
    [
      "one of two paragraphs",
      "A\n\ngone one\n\ngone two\n\nB",
      "A\n\nB",
      "A\n\ngone one\n\nB",
      "A\n\ngone one\n\ngone two\n\nB",
    ],
    ["a word among others", "one gone two", "one two", "one gone indeed two", null],
    ["a paragraph as a heading", "one\n\ntwo\n\nthree", "one\n\nthree", "one\n\n## two\n\nthree", null],
    ["an item in a list of another kind", "- a\n- b\n- c", "- a\n- c", "1. a\n2. b\n3. c", null],
    ["two paragraphs as one", "A\n\ngone one\n\ngone two\n\nB", "A\n\nB", "A\n\ngone one gone two\n\nB", null],
    ["a picture with another description", "A\n\n![old](/p.png)\n\nB", "A\n\nB", "A\n\n![new](/p.png)\n\nB", null],
    ["a picture in a line with another description", "A ![old](/p.png) B", "A B", "A ![new](/p.png) B", null],
  ])("does not repeat what is back in another form: %s", (_, before, after, current, text) => {
    const left = text === null ? 1 : 0;
    expect(undo(before, after, current)).toEqual({ text: text ?? current, undone: 1 - left, left });
  });

  it("leaves what was deleted from a list that was replaced since", () => {
    expect(undo("- a\n- b\n- c", "- a\n- c", "1. a\n2. c")).toEqual({ text: "1. a\n2. c", undone: 0, left: 1 });
  });

  it("brings a replaced section back, without its blocks that are still as they were", () => {
    const before = "# A\n\nold words stand here\n\nold list of things\n\n# B";
    const after = "# A\n\nfresh start\n\nthree shapes\n\nlast resort\n\n# B";
    const current = after.replace("three", "four");
    expect(undo(before, after, current)).toEqual({
      text: "# A\n\nold words stand here\n\nold list of things\n\nfour\n\n# B",
      undone: 1,
      left: 0,
    });
  });

  it("is exact for the last change of any document, and so is undoing the undo", () => {
    const anyDocument = documents.map(normal);
    fc.assert(
      fc.property(anyDocument, anyDocument, (before, after) => {
        const undone = undoChange({ before, after, current: after });
        expect(undone.content).toEqual(before);
        expect(undone.left).toBe(0);
        const again = undoChange({ before: after, after: before, current: undone.content });
        expect(again.content).toEqual(after);
      }),
      runs,
    );
  });
});
