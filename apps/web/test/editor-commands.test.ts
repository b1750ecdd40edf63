import { type Command, EditorState, TextSelection } from "prosemirror-state";
import { expect, it } from "vitest";
import { insertRule, insertTable, linkOf, setLink } from "../src/client/editor/commands.ts";
import { markdownRules } from "../src/client/editor/input-rules.ts";
import { isPastedLink } from "../src/client/editor/paste.ts";
import { schema } from "../src/client/editor/schema.ts";

const stateOf = (...texts: readonly string[]): EditorState => {
  const paragraphs = texts.map((text) => schema.node("paragraph", null, [schema.text(text)]));
  const doc = schema.node("doc", null, paragraphs);
  return EditorState.create({ doc, selection: TextSelection.create(doc, 3) });
};

/** Returns the state after a command. */
function after(state: EditorState, command: Command): EditorState {
  let next = state;
  command(state, (transaction) => {
    next = state.apply(transaction);
  });
  return next;
}

it("inserts a table with the caret in its first cell, and none into it", () => {
  const state = after(stateOf("Text", "More"), insertTable);
  expect(state.selection.$from.node(-1).type.name).toBe("tableHeader");
  expect(state.doc.lastChild?.textContent).toBe("More");
  expect(insertTable(state)).toBe(false);
});

it.each([
  [6, "Above|rule|Below|"],
  [3, "Ab|rule|ove|Below|"],
  [13, "Above|Below|rule||"],
])("inserts a rule with the caret at %d, which then stands below it", (caret, blocks) => {
  const doc = schema.node(
    "doc",
    null,
    ["Above", "Below"].map((text) => schema.node("paragraph", null, [schema.text(text)])),
  );
  const state = after(EditorState.create({ doc, selection: TextSelection.create(doc, caret) }), insertRule);
  const shown = state.doc.children.map(({ type, textContent }) => (type.name === "paragraph" ? textContent : "rule"));
  expect(`${shown.join("|")}|`).toBe(blocks);
  expect(state.selection instanceof TextSelection).toBe(true);
  const index = state.selection.$from.index(0);
  expect(state.doc.child(index - 1).type.name).toBe("horizontalRule");
});

it("says that a table can be inserted without a change of the document", () => {
  const state = stateOf("Text");
  Object.defineProperty(state, "tr", { get: () => expect.fail("The toolbar asks with each key") });
  expect(insertTable(state)).toBe(true);
});

const select = (state: EditorState, from: number, to = from): EditorState =>
  state.apply(state.tr.setSelection(TextSelection.create(state.doc, from, to)));

it("changes and removes the whole link at the caret, with all marks in it, and no other link of the block", () => {
  const link = schema.mark("link", { href: "/documents/one" });
  const texts = [
    schema.text("far", [link]),
    schema.text(" "),
    schema.text("plain", [link]),
    schema.text("bold", [link, schema.mark("bold")]),
    schema.text(" after"),
  ];
  const doc = schema.node("doc", null, [schema.node("paragraph", null, texts)]);
  const state = select(EditorState.create({ doc }), 7);
  const changed = after(state, setLink("https://example.org"));
  const addresses = (of: EditorState): unknown[] =>
    of.doc
      .child(0)
      .children.map(({ text, marks }) => [text, marks.find(({ type }) => type.name === "link")?.attrs.href]);
  expect(addresses(changed)).toEqual([
    ["far", "/documents/one"],
    [" ", undefined],
    ["plain", "https://example.org"],
    ["bold", "https://example.org"],
    [" after", undefined],
  ]);
  expect(linkOf(changed)).toBe("https://example.org");
  const removed = after(changed, setLink(""));
  expect(removed.doc.textContent).toBe("far plainbold after");
  expect(addresses(removed)[0]).toEqual(["far", "/documents/one"]);
  expect(linkOf(removed)).toBe("");
});

it("takes a pasted address for the link of selected text of one block, and nothing unsafe or more than an address", () => {
  const state = stateOf("Text", "More");
  const selected = select(state, 1, 5);
  expect(isPastedLink(selected, "https://example.org/a?b=c#d")).toBe(true);
  expect(isPastedLink(selected, "mailto:ada@example.org")).toBe(true);
  for (const text of [
    "javascript:alert(1)",
    "data:text/html,x",
    "https://example.org and more",
    "example",
    "https://",
  ]) {
    expect(isPastedLink(selected, text), text).toBe(false);
  }
  expect(isPastedLink(selected, `https://${"a".repeat(3_000)}`)).toBe(false);
  expect(isPastedLink(select(state, 3), "https://example.org")).toBe(false);
  expect(isPastedLink(select(state, 2, 9), "https://example.org")).toBe(false);
  const code = schema.node("doc", null, [schema.node("codeBlock", null, [schema.text("code")])]);
  expect(isPastedLink(select(EditorState.create({ doc: code }), 1, 4), "https://example.org")).toBe(false);
});

it.each([
  ["an address becomes a link", schema.text("x.org"), true],
  ["a break in place of an address stays, and so does what stands around it", schema.node("hardBreak"), false],
])("%s when its link is typed as in Markdown", (_name, address, isLink) => {
  const doc = schema.node("doc", null, [schema.node("paragraph", null, [schema.text("[1]("), address])]);
  const rules = markdownRules();
  const end = doc.content.size - 1;
  const state = EditorState.create({ doc, plugins: [rules], selection: TextSelection.create(doc, end) });
  let changed = doc;
  const view = { state, composing: false, dispatch: (tr: typeof state.tr) => (changed = tr.doc) };
  rules.props.handleTextInput?.call(rules, view as never, end, end, ")", () => state.tr);
  expect(changed.eq(doc)).toBe(!isLink);
  expect(changed.textContent).toBe(isLink ? "1" : "[1](");
});
