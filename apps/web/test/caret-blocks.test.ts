import { Node } from "prosemirror-model";
import { EditorState, TextSelection } from "prosemirror-state";
import { DecorationSet } from "prosemirror-view";
import { expect, it, vi } from "vitest";
import { caretBlocks } from "../src/client/editor/caret-blocks.ts";
import { schema } from "../src/client/editor/schema.ts";

const plugin = caretBlocks();

/** Returns the state of a document of short paragraphs, with the caret in the one of an index. */
function stateIn(count: number, index: number): EditorState {
  const paragraph = { type: "paragraph", content: [{ type: "text", text: "word" }] };
  const doc = Node.fromJSON(schema, { type: "doc", content: Array.from({ length: count }, () => paragraph) });
  return EditorState.create({ doc, plugins: [plugin], selection: TextSelection.create(doc, index * 6 + 3) });
}

const marksOf = (state: EditorState): DecorationSet => {
  const found = plugin.props.decorations?.call(plugin, state);
  return found instanceof DecorationSet ? found : DecorationSet.empty;
};

const markedIn = (state: EditorState): number[] => {
  const starts = marksOf(state)
    .find()
    .map(({ from }) => from / 6);
  return starts.sort((a, b) => a - b);
};

const from = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, at) => first + at);

it("marks ten blocks on each side of both ends of the selection, and the first and the last of the text", () => {
  const state = stateIn(100, 50);
  expect(markedIn(state)).toEqual([0, ...from(40, 60), 99]);
  const selected = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 6 * 20 + 1, 6 * 65 + 1)));
  // Those around which the caret was stay.
  expect(markedIn(selected)).toEqual([0, ...from(10, 30), ...from(40, 75), 99]);
  expect(markedIn(stateIn(3, 2))).toEqual([0, 1, 2]);
});

it("a letter makes it look at no more blocks of a long document than the library does, and a bookkeeping change at none", () => {
  const looks = (count: number): number => {
    const before = stateIn(count, count - 20);
    const type = before.tr.insertText("a");
    const after = before.apply(type);
    const looked = vi.spyOn(Node.prototype, "nodeSize", "get");
    plugin.spec.state?.apply.call(plugin, type, marksOf(before), before, after);
    const { length } = looked.mock.calls;
    looked.mockRestore();
    return length;
  };
  // The library looks once at each block before the caret.
  expect(looks(2_000) - looks(40)).toBe(1_960);
  const state = stateIn(40, 20);
  expect(marksOf(state.apply(state.tr.setMeta("any", true)))).toBe(marksOf(state));
});
