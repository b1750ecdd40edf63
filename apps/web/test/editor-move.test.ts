import { parseMarkdown, serializeMarkdown } from "markdown-codec";
import { history, undo } from "prosemirror-history";
import { EditorState, NodeSelection, TextSelection } from "prosemirror-state";
import { describe, expect, it } from "vitest";
import { moveBlock } from "../src/client/editor/commands.ts";
import { fitsInGap, moveTo, startOfBlock, startOfOutermost } from "../src/client/editor/move-to.ts";
import { schema } from "../src/client/editor/schema.ts";

const stateOf = (markdown: string): EditorState =>
  EditorState.create({ doc: schema.nodeFromJSON(parseMarkdown(markdown)), plugins: [history()] });

const markdownOf = ({ doc }: EditorState): string => serializeMarkdown(doc.toJSON());

/** Returns the position of a text. */
function positionOf({ doc }: EditorState, text: string): number {
  let found = -1;
  doc.descendants((node, position) => {
    if (node.isText && node.text?.includes(text)) found = position + node.text.indexOf(text);
  });
  expect(found, text).toBeGreaterThan(-1);
  return found;
}

type Around = { readonly before: number; readonly behind: number; readonly from: number; readonly to: number };

/** Returns where the block around a text is; `isOutermost` for the outermost one. */
function around(state: EditorState, text: string, isOutermost = false): Around {
  const $at = state.doc.resolve(positionOf(state, text));
  const from = (isOutermost ? startOfOutermost($at) : startOfBlock($at)) ?? -1;
  const to = from + (state.doc.nodeAt(from)?.nodeSize ?? 0);
  return { from, to, before: from, behind: to };
}

/** Returns the state after the block of a text was moved; the same one where it was not. */
function moved(state: EditorState, text: string, gap: number): EditorState {
  const change = moveTo(state, around(state, text), gap);
  if (change === null) return state;
  const next = state.apply(change);
  next.doc.check();
  return next;
}

describe("a block that is dragged", () => {
  it("goes into a gap between others, down and up, and comes back with one undo", () => {
    const state = stateOf("one\n\n## two\n\nthree\n");
    const down = moved(state, "one", around(state, "two").behind);
    expect(markdownOf(down)).toBe("## two\n\none\n\nthree\n");
    expect(markdownOf(moved(state, "three", around(state, "one").before))).toBe("three\n\none\n\n## two\n");
    let undone = down;
    expect(
      undo(down, (transaction) => {
        undone = down.apply(transaction);
      }),
    ).toBe(true);
    expect(markdownOf(undone)).toBe(markdownOf(state));
  });

  it("stays in the gaps beside it, and where it is no more", () => {
    const state = stateOf("one\n\ntwo\n");
    const block = around(state, "one");
    expect(moveTo(state, block, block.before)).toBeNull();
    expect(moveTo(state, block, block.behind)).toBeNull();
    expect(moveTo(state, { from: block.from, to: block.to - 1 }, around(state, "two").behind)).toBeNull();
  });

  it("takes the caret in it along, and gets it where it was elsewhere", () => {
    const state = stateOf("one\n\ntwo\n");
    const inside = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 3)));
    const gap = around(state, "two").behind;
    const { selection } = moved(inside, "one", gap);
    expect([selection.$from.parent.textContent, selection.$from.parentOffset]).toEqual(["one", 2]);
    const outside = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 7)));
    expect(moved(outside, "one", gap).selection.$from.parent.textContent).toBe("one");
  });

  it("is an item among items of its kind, also of another list", () => {
    const state = stateOf("- one\n- two\n  - deep\n\ntext\n\n1. first\n2. second\n");
    expect(markdownOf(moved(state, "one", around(state, "two").behind))).toBe(
      "- two\n  - deep\n- one\n\ntext\n\n1. first\n2. second\n",
    );
    expect(markdownOf(moved(state, "deep", around(state, "first").behind))).toBe(
      "- one\n- two\n\ntext\n\n1. first\n2. deep\n3. second\n",
    );
    expect(moveTo(state, around(state, "two"), around(state, "deep").behind)).toBeNull();
  });

  it("is an item with a list of its own among the outermost blocks, and a list without items goes", () => {
    const state = stateOf("- [x] done\n- [ ] open\n\ntext\n");
    expect(markdownOf(moved(state, "done", around(state, "text").behind))).toBe("- [ ] open\n\ntext\n\n- [x] done\n");
    const single = stateOf("7. only\n\ntext\n");
    expect(markdownOf(moved(single, "only", around(single, "text").behind))).toBe("text\n\n7. only\n");
    const beside = around(single, "only", true);
    expect(moved(single, "only", beside.before)).toBe(single);
    expect(moved(single, "only", beside.behind)).toBe(single);
  });

  it("fits between outermost blocks, and an item between items of its kind only", () => {
    const state = stateOf("- item\n\n> quote\n\n- [ ] task\n");
    const block = (text: string, isOutermost = false) => {
      const node = state.doc.nodeAt(around(state, text, isOutermost).from);
      if (node === null) throw new Error(text);
      return node;
    };
    const gapAt = (text: string) => state.doc.resolve(around(state, text).before);
    expect(fitsInGap(block("item"), gapAt("item"))).toBe(true);
    expect(fitsInGap(block("item"), gapAt("task"))).toBe(false);
    expect(fitsInGap(block("quote"), gapAt("item"))).toBe(false);
    expect(fitsInGap(block("quote"), state.doc.resolve(0))).toBe(true);
  });

  it("can be moved by a button where another is beside it, which the toolbar asks without a change", () => {
    const state = stateOf("one\n\ntwo\n");
    Object.defineProperty(state, "tr", { get: () => expect.fail("The toolbar asks with each key") });
    expect([moveBlock(-1)(state), moveBlock(1)(state)]).toEqual([false, true]);
  });

  it.each([
    ["blocks, down", "one\n\ntwo\n\nthree\n\nfour\n", "two", "three", 1, "one\n\nfour\n\ntwo\n\nthree\n"],
    ["blocks, up", "one\n\ntwo\n\nthree\n", "three", "two", -1, "two\n\nthree\n\none\n"],
    ["items of a list", "- a\n- b\n- c\n- d\n", "b", "c", -1, "- b\n- c\n- a\n- d\n"],
    [
      "items of several lists, which move as whole lists",
      "- a\n- b\n\n1. c\n\ntext\n",
      "b",
      "c",
      1,
      "text\n\n- a\n- b\n\n1. c\n",
    ],
  ] as const)("moves with the others that are selected: %s", (_name, markdown, anchor, head, direction, expected) => {
    const start = stateOf(markdown);
    const selection = TextSelection.create(start.doc, positionOf(start, anchor) + 1, positionOf(start, head) + 1);
    let state = start.apply(start.tr.setSelection(selection));
    const selected = (): string => state.doc.textBetween(state.selection.from, state.selection.to, "|");
    const before = selected();
    moveBlock(direction)(state, (tr) => {
      state = state.apply(tr);
    });
    expect(markdownOf(state)).toBe(expected);
    expect(selected()).toBe(before);
    // There is nothing to change places with any more.
    expect(moveBlock(direction)(state)).toBe(false);
  });

  it.each([
    ["a rule", "one\n\n---\n\ntwo\n", "horizontalRule", "***\n\none\n\ntwo\n"],
    ["an item of a list", "- a\n- b\n- c\n", "listItem:b", "- b\n- a\n- c\n"],
    ["an item in an item", "- a\n  - b\n  - c\n", "listItem:c", "- a\n  - c\n  - b\n"],
  ])("moves and stays selected where it is selected as a whole: %s", (_name, markdown, wanted, expected) => {
    const start = stateOf(markdown);
    const [type, text] = wanted.split(":");
    let at = -1;
    start.doc.descendants((node, position) => {
      if (node.type.name === type && (text === undefined || node.textContent === text)) at = position;
    });
    let state = start.apply(start.tr.setSelection(NodeSelection.create(start.doc, at)));
    const press = (): boolean =>
      moveBlock(-1)(state, (tr) => {
        state = state.apply(tr);
      });
    expect(press()).toBe(true);
    expect(markdownOf(state)).toBe(expected);
    expect(state.selection).toBeInstanceOf(NodeSelection);
    expect(state.doc.nodeAt(state.selection.from)?.textContent).toBe(text ?? "");
    expect(press()).toBe(false);
  });

  it("moves with the picture that is selected in it, twice", () => {
    const start = stateOf("one\n\ntwo\n\n![picture](https://a.org/b.png)\n");
    let at = -1;
    start.doc.descendants((node, position) => {
      if (node.type.name === "image") at = position;
    });
    let state = start.apply(start.tr.setSelection(NodeSelection.create(start.doc, at)));
    for (let time = 0; time < 2; time++) {
      moveBlock(-1)(state, (tr) => {
        state = state.apply(tr);
      });
    }
    expect(markdownOf(state)).toBe("![picture](https://a.org/b.png)\n\none\n\ntwo\n");
  });

  it("stays where the selection only ends at its start", () => {
    const start = stateOf("one\n\ntwo\n\nthree\n\nfour\n");
    const ends = [positionOf(start, "two"), positionOf(start, "three")] as const;
    let state = start.apply(start.tr.setSelection(TextSelection.create(start.doc, ...ends)));
    moveBlock(-1)(state, (tr) => {
      state = state.apply(tr);
    });
    expect(markdownOf(state)).toBe("two\n\none\n\nthree\n\nfour\n");
  });

  it.each([-1, 1] as const)("keeps the place of what others write in it", (direction) => {
    const start = stateOf("one\n\ntwo\n\nthree\n");
    const two = positionOf(start, "two");
    const state = start.apply(start.tr.setSelection(TextSelection.create(start.doc, two)));
    moveBlock(direction)(state, (tr) => {
      const { deleted, pos } = tr.mapping.mapResult(two + 1);
      expect(deleted).toBe(false);
      expect(tr.doc.textBetween(pos - 1, pos + 2)).toBe("two");
    });
  });
});
