import { markBreaks } from "../normal/inline.ts";
import { hasMark, NO_MARKS } from "../normal/marks.ts";
import { atomNode, pushText, textNode } from "../normal/nodes.ts";
import type { MarkJSON, NodeJSON } from "../types.ts";
import type { OwnMark } from "./construct.ts";

const marksOf = (node: NodeJSON | undefined): MarkJSON[] => node?.marks ?? NO_MARKS;

/** A line of text with a raw construct where each mark of an integrator begins and ends; `origins` are the indexes from before. */
export function insertMarkers(
  given: readonly NodeJSON[],
  own: readonly OwnMark[],
): { content: NodeJSON[]; origins: readonly number[] } {
  const names = new Set(own.map(({ name }) => name));
  const nodes = given.filter((node) => node.text !== "");
  const wanted = wantedMarks(nodes, names);
  const content: NodeJSON[] = [];
  const origins: number[] = [];
  let open: readonly OwnMark[] = [];
  const add = (node: NodeJSON, index: number): void => {
    content.push(node);
    origins.push(index);
  };
  for (let index = 0; index <= nodes.length; index++) {
    const node = nodes[index];
    const now = own.filter(({ name }) => wanted[index]?.has(name));
    const marks = sharedMarks(nodes[index - 1], node, names);
    for (const mark of [...open].reverse()) if (!now.includes(mark)) add(markerOf(mark, marks), Math.max(0, index - 1));
    for (const mark of now) if (!open.includes(mark)) add(markerOf(mark, marks), index);
    open = now;
    if (node) add(withoutMarks(node, names), index);
  }
  return { content, origins };
}

const markerOf = ({ name, delimiter }: OwnMark, marks: MarkJSON[]): NodeJSON =>
  atomNode("rawInline", { kind: name, source: delimiter }, marks);

// The marks of an integrator that each node has. Breaks have those that the text on both sides has.
function wantedMarks(nodes: readonly NodeJSON[], names: ReadonlySet<string>): ReadonlySet<string>[] {
  const wanted: ReadonlySet<string>[] = [];
  for (let start = 0; start < nodes.length; start = wanted.length) {
    let end = start;
    while (nodes[end]?.type === "hardBreak") end++;
    const after = ownMarks(nodes[end], names);
    const shared = new Set([...(wanted[start - 1] ?? [])].filter((name) => after.has(name)));
    while (wanted.length < end) wanted.push(shared);
    if (end < nodes.length) wanted.push(after);
  }
  return wanted;
}

function ownMarks(node: NodeJSON | undefined, names: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(
    marksOf(node)
      .map(({ type }) => type)
      .filter((type) => names.has(type)),
  );
}

// A sign has the marks of the text on both sides, so that it does not end them.
function sharedMarks(
  before: NodeJSON | undefined,
  after: NodeJSON | undefined,
  names: ReadonlySet<string>,
): MarkJSON[] {
  if (before === undefined || after === undefined) return NO_MARKS;
  return marksOf(before).filter(
    (mark) => mark.type !== "code" && !names.has(mark.type) && hasMark(marksOf(after), mark),
  );
}

function withoutMarks(node: NodeJSON, names: ReadonlySet<string>): NodeJSON {
  const { marks, ...rest } = node;
  if (!marks?.some(({ type }) => names.has(type))) return node;
  const others = marks.filter(({ type }) => !names.has(type));
  return others.length > 0 ? { ...rest, marks: others } : rest;
}

/** A line of text whose nodes have the marks that raw constructs begin and end. A sign without its partner is text. */
export function removeMarkers(given: readonly NodeJSON[], own: readonly OwnMark[]): NodeJSON[] {
  const partners = findPairs(given, own);
  const open = new Set<string>();
  const out: NodeJSON[] = [];
  given.forEach((node, index) => {
    const marker = own.find((mark) => isMarker(node, mark));
    if (marker === undefined || !partners.has(index)) {
      const plain = marker ? textNode(marker.delimiter, marksOf(node)) : node;
      const marks = own.filter(({ name }) => open.has(name)).reduce(withMark, marksOf(plain));
      if (plain.type === "text") pushText(plain.text ?? "", marks, out);
      else out.push(marks === marksOf(plain) ? plain : { ...plain, marks });
    } else if (!open.delete(marker.name)) open.add(marker.name);
  });
  markBreaks(out);
  return out;
}

const isMarker = ({ type, attrs }: NodeJSON, { name }: OwnMark): boolean =>
  type === "rawInline" && attrs?.kind === name;

function findPairs(nodes: readonly NodeJSON[], own: readonly OwnMark[]): ReadonlySet<number> {
  const paired = new Set<number>();
  const waiting = new Map<OwnMark, number>();
  nodes.forEach((node, index) => {
    const mark = own.find((one) => isMarker(node, one));
    if (mark === undefined) return;
    const opener = waiting.get(mark);
    if (opener === undefined) waiting.set(mark, index);
    else {
      paired.add(opener).add(index);
      waiting.delete(mark);
    }
  });
  return paired;
}

// Marks of an integrator come after the others, but before code.
function withMark(marks: MarkJSON[], { name }: OwnMark): MarkJSON[] {
  const isLast = marks.at(-1)?.type === "code";
  const mark = { type: name };
  return isLast ? [...marks.slice(0, -1), mark, ...marks.slice(-1)] : [...marks, mark];
}
