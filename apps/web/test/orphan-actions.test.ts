import { parseMarkdown, serializeMarkdown } from "markdown-codec";
import { EditorState, NodeSelection, type Selection, TextSelection } from "prosemirror-state";
import { describe, expect, it } from "vitest";
import { insertionOf } from "../src/client/editor/orphan-actions.ts";
import { schema } from "../src/client/editor/schema.ts";

/** Returns Markdown after a text was inserted into it. */
function inserted(markdown: string, select: (state: EditorState) => Selection, text: string): string {
  const state = EditorState.create({ doc: schema.nodeFromJSON(parseMarkdown(markdown)) });
  const selected = state.apply(state.tr.setSelection(select(state)));
  const { doc } = selected.apply(insertionOf(selected, text));
  doc.check();
  return serializeMarkdown(doc.toJSON());
}

const caret =
  (from: number, to = from) =>
  ({ doc }: EditorState): Selection =>
    TextSelection.create(doc, from, to);
const node =
  (at: number) =>
  ({ doc }: EditorState): Selection =>
    NodeSelection.create(doc, at);

describe("text without a place", () => {
  it.each([
    ["goes on with the paragraph of the caret", "One two", caret(5), "new ", "One new two\n"],
    ["keeps what looks like Markdown as it was typed", "One", caret(4), " *new*", "One \\*new\\*\n"],
    ["begins a paragraph with each line", "One two", caret(4), " a\nb\n\nc", "One a\n\nb\n\nc two\n"],
    ["leaves what is selected, and stands behind it", "One two", caret(1, 4), "!", "One! two\n"],
    ["leaves a selected picture", "One ![p](/p.png) two", node(5), "new", "One ![p](/p.png)new two\n"],
    ["stands behind a selected block", "---\n\nTwo", node(0), "new", "***\n\nnew\n\nTwo\n"],
    ["is code in code, with its lines", "```\none\n```", caret(4), "\na\n\nb", "```\none\na\n\nb\n```\n"],
    ["is an item of a list for each line", "- one", caret(6), " a\nb", "- one a\n\n  b\n"],
  ] as const)("%s", { meta: { proves: ["web.writing.kept"] } }, (_title, markdown, select, text, expected) => {
    expect(inserted(markdown, select, text)).toBe(expected);
  });
});
