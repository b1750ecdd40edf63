import { EditorState } from "prosemirror-state";
import { expect, it } from "vitest";
import { findText, matchFrom, replaceMatches } from "../src/client/editor/find-text.ts";
import { schema } from "../src/client/editor/schema.ts";

const bold = schema.mark("bold");
const doc = schema.node("doc", null, [
  schema.node("paragraph", null, [
    schema.text("One o"),
    schema.text("ne", [bold]),
    schema.node("hardBreak"),
    schema.text("ONE a.b"),
  ]),
  schema.node("codeBlock", null, [schema.text("one axb")]),
]);
const textsOf = (text: string, isExact = false): string[] =>
  findText(doc, text, isExact).map(({ from, to }) => doc.textBetween(from, to));

it("finds a text in every block, across marks but not across a break, with and without regard to case", () => {
  expect(textsOf("one")).toEqual(["One", "one", "ONE", "one"]);
  expect(textsOf("one", true)).toEqual(["one", "one"]);
  expect(textsOf("neONE")).toEqual([]);
  expect(textsOf("")).toEqual([]);
});

it("takes signs of patterns as they are, and finds letters of any script", () => {
  expect(textsOf("a.b")).toEqual(["a.b"]);
  expect(textsOf("(")).toEqual([]);
  const other = schema.node("doc", null, [schema.node("paragraph", null, [schema.text("Ärger 👍 مرحبا")])]);
  for (const text of ["ärger", "👍", "مرحبا"]) expect(findText(other, text, false), text).toHaveLength(1);
});

it("finds at most 2,000 passages", () => {
  const long = schema.node("doc", null, [schema.node("paragraph", null, [schema.text("a".repeat(5_000))])]);
  expect(findText(long, "a", false)).toHaveLength(2_000);
});

it("replaces all passages at once with their marks, by a longer text and by nothing", () => {
  const state = EditorState.create({ doc });
  const matches = findText(doc, "one", false);
  const { doc: longer } = replaceMatches(state.tr, matches, "three");
  expect(longer.textContent).toBe("three threethree a.bthree axb");
  expect(
    longer
      .child(0)
      .child(1)
      .marks.map(({ type }) => type.name),
  ).toEqual([]);
  expect(replaceMatches(state.tr, matches, "").doc.textContent).toBe("  a.b axb");
});

it("begins at the caret, and again at the first passage", () => {
  const matches = findText(doc, "one", false);
  expect(matchFrom(matches, 2)).toBe(1);
  expect(matchFrom(matches, doc.content.size)).toBe(0);
  expect(matchFrom([], 0)).toBe(-1);
});
