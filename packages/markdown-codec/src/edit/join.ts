import type { NodeJSON } from "../types.ts";
import { areOneFamily } from "../write/list.ts";

/** Blocks that come to stand between others. */
export interface Seam {
  readonly before: readonly NodeJSON[];
  /** The blocks in whose place the inserted ones come. */
  readonly removed: readonly NodeJSON[];
  readonly inserted: readonly NodeJSON[];
  readonly after: readonly NodeJSON[];
}

/** The blocks of a seam in order, and the footnotes that have to stand at the end of the document. */
export interface Joined {
  readonly blocks: NodeJSON[];
  readonly notes: NodeJSON[];
}

// Between two lists that have to stay apart without another marker. A reader of the page does not see it.
const GAP: NodeJSON = { type: "rawBlock", attrs: { kind: "comment", source: "<!-- -->", tight: false } };

/** True for two lists with bullets, or two with numbers: items of the one can be items of the other, tasks too. */
function areOneKind(a: NodeJSON | undefined, b: NodeJSON | undefined): boolean {
  return b !== undefined && areOneFamily(a, b);
}

// Tasks and other items in one list are a list with bullets.
const joinedType = (a: NodeJSON, b: NodeJSON): string => (a.type === b.type ? a.type : "bulletList");

/**
 * Joins a list that is inserted beside a list of the same kind with it, as a writer of Markdown expects: items beside a
 * list are items of it. Lists that stood side by side before stay apart.
 */
export function joinLists({ before, removed, inserted, after }: Seam): Joined {
  const left = [...before];
  const middle = [...inserted];
  const right = [...after];
  const notes = areOneKind(removed.at(-1), right[0]) ? [] : joinNext(middle, right);
  if (!areOneKind(left.at(-1), removed[0])) joinPrevious(left, middle, right.length === 0);
  const [next] = right;
  const last = left.at(-1);
  if (removed.length > 0 && middle.length === 0 && last && next && areOneKind(last, next)) {
    left[left.length - 1] = withItems(last, next);
    right.shift();
  } else if (needsGap([...before, ...removed], [...left, ...middle], next)) middle.push(GAP);
  return { blocks: [...left, ...middle, ...right], notes };
}

// The last list of the inserted blocks becomes a part of the next one. Its footnotes would stand between the items.
function joinNext(middle: NodeJSON[], right: NodeJSON[]): NodeJSON[] {
  let end = middle.length;
  while (middle[end - 1]?.type === "footnoteDefinition") end--;
  const list = middle[end - 1];
  const [next] = right;
  if (!list || !next || !areOneKind(list, next)) return [];
  const content = [...(list.content ?? []), ...(next.content ?? [])];
  right[0] = { ...next, ...startingAt(list, next), type: joinedType(list, next), content };
  return middle.splice(end - 1).slice(1);
}

// At the end of a document, the last list may have footnotes below it.
function joinPrevious(left: NodeJSON[], middle: NodeJSON[], isEnd: boolean): void {
  let end = left.length;
  while (isEnd && left[end - 1]?.type === "footnoteDefinition") end--;
  const list = left[end - 1];
  const [first] = middle;
  if (!list || !first || !areOneKind(list, first)) return;
  left[end - 1] = withItems(list, first);
  middle.shift();
}

const withItems = (list: NodeJSON, more: NodeJSON): NodeJSON => ({
  ...list,
  type: joinedType(list, more),
  content: [...(list.content ?? []), ...(more.content ?? [])],
});

// A numbered list begins where it began, unless the new items lead up to its first number.
function startingAt(list: NodeJSON, next: NodeJSON): Pick<NodeJSON, "attrs"> {
  if (next.type !== "orderedList") return {};
  const start = Number(list.attrs?.start ?? 1);
  const leadsUp = start + (list.content?.length ?? 0) === Number(next.attrs?.start ?? 1);
  return leadsUp ? { attrs: { ...next.attrs, start } } : {};
}

// Neighbouring lists of different kinds are kept apart by their markers in turn. The list after the edit keeps its own:
// what the edit does not touch stays as it is, to the byte.
function needsGap(before: readonly NodeJSON[], now: readonly NodeJSON[], next: NodeJSON | undefined): boolean {
  return next !== undefined && !hasOtherMarker(before, next) && hasOtherMarker(now, next);
}

// True where the list comes second, fourth… in a row of lists of its family.
function hasOtherMarker(before: readonly NodeJSON[], list: NodeJSON): boolean {
  let row = 0;
  while (areOneFamily(before.at(-1 - row), list)) row++;
  return row % 2 === 1;
}
