import { markBreaks } from "../normal/inline.ts";
import { hasMark, NO_MARKS } from "../normal/marks.ts";
import { atomNode, pushText, textNode } from "../normal/nodes.ts";
import type { MarkJSON, NodeJSON } from "../types.ts";
import type { OwnMark } from "./own-mark.ts";

const marksOf = (node: NodeJSON | undefined): MarkJSON[] => node?.marks ?? NO_MARKS;

/** A line of text with a raw construct where each mark of an integrator begins and ends; `origins` are the indexes from before. */
export function insertMarkers(
  given: readonly NodeJSON[],
  own: readonly OwnMark[],
): { content: NodeJSON[]; origins: readonly number[] } {
  const byName = new Map(own.map((mark) => [mark.name, mark]));
  const nodes = given.filter((node) => node.text !== "");
  const wanted = wantedMarks(nodes, byName);
  const content: NodeJSON[] = [];
  const origins: number[] = [];
  let open: Openings = new Map();
  const add = (node: NodeJSON, index: number): void => {
    content.push(node);
    origins.push(index);
  };
  for (let index = 0; index <= nodes.length; index++) {
    const node = nodes[index];
    const now = wanted[index] ?? NONE;
    const marks = sharedMarks(nodes[index - 1], node, byName);
    for (const [mark, opening] of [...open].reverse())
      if (now.get(mark) !== opening) add(signOf(mark, mark.delimiter, marks), Math.max(0, index - 1));
    for (const [mark, opening] of now) if (open.get(mark) !== opening) add(signOf(mark, opening, marks), index);
    open = now;
    if (node) add(withoutMarks(node, byName), index);
  }
  return { content, origins };
}

type ByName = ReadonlyMap<string, OwnMark>;

/** The marks of an integrator that a node has, in their order, with the sign that begins each. */
type Openings = ReadonlyMap<OwnMark, string>;

const NONE: Openings = new Map();

const signOf = ({ name }: OwnMark, source: string, marks: MarkJSON[]): NodeJSON =>
  atomNode("rawInline", { kind: name, source }, marks);

// Breaks have the marks that the text on both sides has.
function wantedMarks(nodes: readonly NodeJSON[], byName: ByName): Openings[] {
  const wanted: Openings[] = [];
  for (let start = 0; start < nodes.length; start = wanted.length) {
    let end = start;
    while (nodes[end]?.type === "hardBreak") end++;
    const after = openingsOf(nodes[end], byName);
    const shared = new Map([...(wanted[start - 1] ?? [])].filter(([mark, opening]) => after.get(mark) === opening));
    while (wanted.length < end) wanted.push(shared);
    if (end < nodes.length) wanted.push(after);
  }
  return wanted;
}

// In the order of the definitions. Of several of one kind the first counts, as everywhere.
function openingsOf(node: NodeJSON | undefined, byName: ByName): Openings {
  const openings = new Map<OwnMark, string>();
  for (const mark of byName.values()) {
    const found = marksOf(node).find(({ type }) => type === mark.name);
    const opening = found && mark.openingOf(found.attrs);
    if (opening !== undefined) openings.set(mark, opening);
  }
  return openings;
}

// A sign has the marks of the text on both sides, so that it does not end them.
function sharedMarks(before: NodeJSON | undefined, after: NodeJSON | undefined, byName: ByName): MarkJSON[] {
  if (before === undefined || after === undefined) return NO_MARKS;
  return marksOf(before).filter(
    (mark) => mark.type !== "code" && !byName.has(mark.type) && hasMark(marksOf(after), mark),
  );
}

function withoutMarks(node: NodeJSON, byName: ByName): NodeJSON {
  const { marks, ...rest } = node;
  if (!marks?.some(({ type }) => byName.has(type))) return node;
  const others = marks.filter(({ type }) => !byName.has(type));
  return others.length > 0 ? { ...rest, marks: others } : rest;
}

/** A line of text whose nodes have the marks that raw constructs begin and end. A sign without its partner is text. */
export function removeMarkers(given: readonly NodeJSON[], own: readonly OwnMark[]): NodeJSON[] {
  const partners = findPairs(given, own);
  const open = new Map<OwnMark, string>();
  const out: NodeJSON[] = [];
  let last = "";
  given.forEach((node, index) => {
    const sign = own.find((mark) => isSign(node, mark));
    if (sign === undefined || !partners.has(index)) {
      const plain = sign ? textNode(sourceOf(node), marksOf(node)) : node;
      const openings = own.flatMap((mark) => open.get(mark) ?? []);
      const opened = own.flatMap((mark) => (open.has(mark) ? mark.markOf(open.get(mark) ?? "") : []));
      const marks = opened.reduce(withMark, marksOf(plain));
      const isLikeLast = openings.join("\n") === last;
      last = openings.join("\n");
      // Texts with equal marks of this package can have other attributes of the integrator's.
      if (plain.type === "text" && isLikeLast) pushText(plain.text ?? "", marks, out);
      else out.push(marks === marksOf(plain) ? plain : { ...plain, marks });
    } else if (!open.delete(sign)) open.set(sign, sourceOf(node));
  });
  markBreaks(out);
  return out;
}

const sourceOf = ({ attrs }: NodeJSON): string => String(attrs?.source);

const isSign = ({ type, attrs }: NodeJSON, { name }: OwnMark): boolean => type === "rawInline" && attrs?.kind === name;

function findPairs(nodes: readonly NodeJSON[], own: readonly OwnMark[]): ReadonlySet<number> {
  const paired = new Set<number>();
  const waiting = new Map<OwnMark, number>();
  nodes.forEach((node, index) => {
    const mark = own.find((one) => isSign(node, one));
    if (mark === undefined) return;
    const opener = waiting.get(mark);
    const isEnd = sourceOf(node) === mark.delimiter;
    if (opener === undefined && !(mark.hasSource && isEnd)) waiting.set(mark, index);
    else if (opener !== undefined && isEnd) {
      paired.add(opener).add(index);
      waiting.delete(mark);
    }
  });
  return paired;
}

// Marks of an integrator come after the others, but before code.
function withMark(marks: MarkJSON[], mark: MarkJSON): MarkJSON[] {
  const isLast = marks.at(-1)?.type === "code";
  return isLast ? [...marks.slice(0, -1), mark, ...marks.slice(-1)] : [...marks, mark];
}
