import { compareLines } from "../diff/lines.ts";
import { isCode, NO_MARKS, RANKS, sameMark } from "../normal/marks.ts";
import { textNode } from "../normal/nodes.ts";
import type { MarkJSON, NodeJSON } from "../types.ts";
import { type Piece, piecesOf } from "./pieces.ts";
import { shownAs } from "./plain-text.ts";

type Marks = readonly MarkJSON[];

const marksOf = (node: NodeJSON | undefined): Marks => node?.marks ?? NO_MARKS;

/**
 * The inline nodes with `length` characters of their text from `start` replaced. A word that stays keeps its marks. A
 * new word gets the marks that all words have in whose place it comes, or the words on both sides of it: a mark is never
 * spread.
 */
export function replaceInline(nodes: NodeJSON[], start: number, length: number, replacement: NodeJSON[]): NodeJSON[] {
  const before = sliceNodes(nodes, 0, start);
  const old = sliceNodes(nodes, start, start + length);
  const after = sliceNodes(nodes, start + length, Number.POSITIVE_INFINITY);
  const from = piecesOf(old);
  const to = piecesOf(replacement);
  const out: NodeJSON[] = [...before];
  let removed: Piece[] = [];
  let added: Piece[] = [];
  let x = 0;
  let y = 0;
  const flush = (next: NodeJSON | undefined): void => {
    const around = removed.length > 0 ? removed.flatMap((piece) => piece.nodes) : [out.at(-1), next];
    const marks = added.length > 0 ? sharedMarks(around.map(marksOf)) : NO_MARKS;
    for (const node of added.flatMap((piece) => piece.nodes)) out.push(withMarks(node, marks));
    removed = [];
    added = [];
  };
  for (const { sign } of compareLines(textsOf(from), textsOf(to))) {
    const gone = sign === "+" ? undefined : from[x++];
    const come = sign === "-" ? undefined : to[y++];
    if (gone && come) {
      flush(gone.nodes[0]);
      const marks = sharedMarks(come.nodes.map(marksOf));
      for (const node of gone.nodes) out.push(withMarks(node, marks));
    } else if (gone) removed.push(gone);
    else if (come) added.push(come);
  }
  flush(after[0]);
  return [...out, ...after];
}

const textsOf = (pieces: readonly Piece[]): string[] => pieces.map((piece) => piece.text);

function sliceNodes(nodes: NodeJSON[], from: number, to: number): NodeJSON[] {
  const out: NodeJSON[] = [];
  let at = 0;
  for (const node of nodes) {
    const text = shownAs(node);
    const start = Math.max(from - at, 0);
    const end = Math.min(to - at, text.length);
    if (start === 0 && end === text.length) out.push(node);
    else if (start < end) out.push(textNode(text.slice(start, end), node.marks));
    at += text.length;
  }
  return out;
}

function sharedMarks(all: readonly Marks[]): Marks {
  const [first = NO_MARKS, ...others] = all;
  return first.filter((mark) => others.every((marks) => marks.some((other) => sameMark(mark, other))));
}

const rankOf = ({ type }: MarkJSON): number => RANKS.indexOf(type);

// Its own marks come first: of two links it keeps its own. A node that is not text has no code mark.
function withMarks(node: NodeJSON, marks: Marks): NodeJSON {
  const own = marksOf(node);
  const more = marks.filter(
    (mark) => own.every((other) => other.type !== mark.type) && (node.type === "text" || !isCode([mark])),
  );
  if (more.length === 0) return node;
  return { ...node, marks: [...own, ...more].sort((a, b) => rankOf(a) - rankOf(b)) };
}
