import { lift, setBlockType, toggleMark, wrapIn } from "prosemirror-commands";
import { Fragment, type Node, type NodeType } from "prosemirror-model";
import { liftListItem, wrapInList } from "prosemirror-schema-list";
import { type Command, type EditorState, NodeSelection, Selection, TextSelection } from "prosemirror-state";
import { isItem } from "./move-to.ts";
import { schema } from "./schema.ts";

/** Returns a node type of the schema by its name. */
export function nodeType(name: string): NodeType {
  const type = schema.nodes[name];
  if (type === undefined) throw new RangeError(`The schema has no ${name}`);
  return type;
}

/** Switches a mark of the selected text on or off. */
export function toggle(name: string): Command {
  const type = schema.marks[name];
  if (type === undefined) throw new RangeError(`The schema has no ${name}`);
  return toggleMark(type);
}

/** Turns the selected blocks into headings of a level, or into paragraphs where they are such headings, or for level 0. */
export function setHeading(level: number): Command {
  return (state, dispatch) =>
    level === 0 || isIn(state, "heading", { level })
      ? setBlockType(nodeType("paragraph"))(state, dispatch)
      : setBlockType(nodeType("heading"), { level })(state, dispatch);
}

/** Turns the selected blocks into code, or back. */
export const toggleCodeBlock: Command = (state, dispatch) =>
  setBlockType(nodeType(isIn(state, "codeBlock") ? "paragraph" : "codeBlock"))(state, dispatch);

/** Puts the selected blocks into a quote, or takes them out of it. */
export const toggleQuote: Command = (state, dispatch) =>
  isIn(state, "blockquote") ? lift(state, dispatch) : wrapIn(nodeType("blockquote"))(state, dispatch);

/** Puts the selected blocks into a list, takes them out of it, or makes another list of it. */
export function toggleList(name: "bulletList" | "orderedList" | "taskList"): Command {
  return (state, dispatch) => {
    const list = listAround(state);
    if (list === null) return wrapInList(nodeType(name))(state, dispatch);
    const isSame = list.node.type.name === name;
    if (isSame) return liftListItem(nodeType(itemOf(name)))(state, dispatch);
    dispatch?.(state.tr.replaceWith(list.position, list.position + list.node.nodeSize, listAs(name, list.node)));
    return true;
  };
}

const itemOf = (list: string): string => (list === "taskList" ? "taskItem" : "listItem");

function listAs(name: string, list: Node): Node {
  const items = list.children.map((item) => nodeType(itemOf(name)).create(null, item.content));
  return nodeType(name).create(null, Fragment.fromArray(items));
}

function listAround({ selection: { $from } }: EditorState): { readonly node: Node; readonly position: number } | null {
  for (let depth = $from.depth; depth > 0; depth--) {
    const node = $from.node(depth);
    if (/List$/.test(node.type.name)) return { node, position: $from.before(depth) };
  }
  return null;
}

/** Returns whether the selection begins in a node with these attributes. */
export function isIn({ selection: { $from } }: EditorState, name: string, attrs: object = {}): boolean {
  for (let depth = $from.depth; depth > 0; depth--) {
    const { type, attrs: found } = $from.node(depth);
    if (type.name === name && Object.entries(attrs).every(([key, value]) => found[key] === value)) return true;
  }
  return false;
}

/** Returns whether the selected text, or what is typed next, has a mark. */
export function hasMark(state: EditorState, name: string): boolean {
  const type = schema.marks[name];
  const { from, to, empty, $from } = state.selection;
  if (type === undefined) return false;
  if (empty) return type.isInSet(state.storedMarks ?? $from.marks()) !== undefined;
  return state.doc.rangeHasMark(from, to, type);
}

/** Inserts a rule below the block, with the caret in the block below that, which is a new paragraph at the end. */
export const insertRule: Command = (state, dispatch) => {
  if (dispatch === undefined) return true;
  const { tr } = state;
  tr.replaceSelectionWith(nodeType("horizontalRule").create(), false);
  let end = tr.selection.to;
  tr.mapping.maps.at(-1)?.forEach((_oldStart, _oldEnd, _newStart, newEnd) => {
    end = newEnd;
  });
  const $end = tr.doc.resolve(end);
  if (!$end.parent.isTextblock && $end.nodeAfter === null) tr.insert(end, nodeType("paragraph").create());
  dispatch(tr.setSelection(Selection.near(tr.doc.resolve(end), 1)).scrollIntoView());
  return true;
};

/** Inserts a table of two columns with a row of headings. */
export const insertTable: Command = (state, dispatch) => {
  if (isIn(state, "table")) return false;
  if (dispatch === undefined) return true;
  const row = (cell: string): Node =>
    nodeType("tableRow").create(
      null,
      [1, 2].map(() => nodeType(cell).create(null, nodeType("paragraph").create())),
    );
  const table = nodeType("table").create(null, [row("tableHeader"), row("tableCell")]);
  const { tr } = state;
  const at = tr.selection.from;
  tr.replaceSelectionWith(table);
  const start = tr.mapping.map(at, -1);
  tr.doc.nodesBetween(start, tr.doc.content.size, (node, position) => {
    if (node !== table) return true;
    tr.setSelection(TextSelection.near(tr.doc.resolve(position + 3)));
    return false;
  });
  dispatch(tr.scrollIntoView());
  return true;
};

/**
 * Moves the outermost blocks or the list items of the selection up or down by one: the block beside them goes to their other end, so that what
 * others write in them meanwhile, and their carets, stay where they are.
 */
export function moveBlock(direction: -1 | 1): Command {
  return (state, dispatch) => {
    const { $from } = state.selection;
    const depth = depthToMove(state);
    if (depth === 0) return false;
    const parent = $from.node(depth - 1);
    const first = $from.index(depth - 1);
    const last = lastToMove(state, depth);
    const other = parent.maybeChild(direction < 0 ? first - 1 : last + 1);
    if (other == null) return false;
    if (dispatch === undefined) return true;
    const start = $from.posAtIndex(first, depth - 1);
    const end = $from.posAtIndex(last + 1, depth - 1);
    const { tr } = state;
    if (direction < 0) tr.insert(end, other).delete(start - other.nodeSize, start);
    else tr.insert(start, other).delete(end + other.nodeSize, end + 2 * other.nodeSize);
    dispatch(tr.scrollIntoView());
    return true;
  };
}

/**
 * Returns the depth of what moves: of the list items around the selection, if it is within one list, else of the outermost blocks; 0 without
 * any.
 */
function depthToMove({ selection }: EditorState): number {
  const { $from, $to } = selection;
  const isWhole = selection instanceof NodeSelection && ($from.depth === 0 || isItem(selection.node));
  if (isWhole) return $from.depth + 1;
  for (let depth = $from.depth; depth > 0; depth--) {
    if (isItem($from.node(depth)) && $from.sharedDepth($to.pos) >= depth - 1) return depth;
  }
  return Math.min(1, $from.depth, $to.depth);
}

/** Returns the index of the last block that moves. One of which nothing is selected, because the selection ends at its start, does not. */
function lastToMove({ selection: { $from, $to } }: EditorState, depth: number): number {
  const last = $to.index(depth - 1);
  const isAtStart = $to.pos - $to.posAtIndex(last, depth - 1) === $to.depth - (depth - 1);
  return isAtStart && last > $from.index(depth - 1) ? last - 1 : last;
}

/**
 * Links the selected text, or the whole link at the caret, to an address; without an address, removes its links. Without selected
 * text it inserts `text`.
 */
export function setLink(href: string, text: string = href): Command {
  return (state, dispatch) => {
    const type = schema.marks.link;
    if (type === undefined) return false;
    const { from, to } = linkAtCaret(state) ?? state.selection;
    const { tr } = state;
    if (href === "") tr.removeMark(from, to, type);
    else if (from === to) tr.insertText(text, from).addMark(from, from + text.length, type.create({ href }));
    else tr.addMark(from, to, type.create({ href }));
    dispatch?.(tr);
    return true;
  };
}

/** Returns where the link around the caret begins and ends; null without a caret in a link. */
function linkAtCaret({
  selection: { $from, empty },
}: EditorState): { readonly from: number; readonly to: number } | null {
  const link = schema.marks.link?.isInSet($from.marks());
  if (!empty || link === undefined) return null;
  let end = $from.start();
  let from = end;
  let to = end;
  for (const node of $from.parent.children) {
    end += node.nodeSize;
    if (link.isInSet(node.marks)) to = end;
    else if (end <= $from.pos) from = end;
    else break;
  }
  return { from, to };
}

/** Returns the address of the link at the selection; an empty string without one. */
export function linkOf({ selection: { $from, from, to }, doc }: EditorState): string {
  const type = schema.marks.link;
  if (type === undefined) return "";
  let href: unknown = type.isInSet($from.marks())?.attrs.href;
  doc.nodesBetween(from, to, (node) => {
    href ??= type.isInSet(node.marks)?.attrs.href;
  });
  return typeof href === "string" ? href : "";
}
