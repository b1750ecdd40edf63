import type { Budget } from "../diff/lines.ts";
import { piecesOf } from "../edit/pieces.ts";
import { NOTHING, textNode } from "../normal/nodes.ts";
import type { Attrs, AttrValue, MergeConflict, NodeJSON } from "../types.ts";
import type { Keys } from "./keys.ts";
import { sideOf } from "./side.ts";
import { mergeRows } from "./words.ts";

type Path = readonly number[];

/** The three versions of a block. */
interface Versions {
  readonly base: NodeJSON;
  readonly mine: NodeJSON;
  readonly theirs: NodeJSON;
}

const childrenOf = (node: NodeJSON): NodeJSON[] => node.content ?? NOTHING;
const isLine = ({ type }: NodeJSON): boolean => type === "paragraph" || type === "heading";
const CONTAINERS = new Set([
  "blockquote",
  "bulletList",
  "orderedList",
  "taskList",
  "listItem",
  "taskItem",
  "footnoteDefinition",
  "table",
]);

/** Merges blocks: those that only one side changed, then the parts of those that both changed. */
export class BlockMerge {
  readonly conflicts: MergeConflict[] = [];
  readonly #keys: Keys;
  readonly #budget: Budget;
  readonly #isWhole: (node: NodeJSON) => boolean;

  constructor(keys: Keys, budget: Budget, isWhole: (node: NodeJSON) => boolean) {
    this.#keys = keys;
    this.#budget = budget;
    this.#isWhole = isWhole;
  }

  /** The children of three versions of a node that will stand at `path`. */
  children({ base, mine, theirs }: Versions, path: Path): NodeJSON[] {
    const old = childrenOf(base);
    const one = sideOf(old, childrenOf(mine), this.#keys, this.#budget);
    const other = sideOf(old, childrenOf(theirs), this.#keys, this.#budget);
    const out: NodeJSON[] = [];
    for (let index = 0; index <= old.length; index++) {
      for (const node of this.#inserted(one.inserted[index], other.inserted[index])) out.push(node);
      const block = old[index];
      if (block === undefined) continue;
      const result = this.#block(block, one.fates[index], other.fates[index], [...path, out.length]);
      for (const node of result) out.push(node);
    }
    return out;
  }

  // Additions of both sides at one place are kept, mine first; equal ones are kept once.
  #inserted(mine: NodeJSON[] = NOTHING, theirs: NodeJSON[] = NOTHING): NodeJSON[] {
    const names = (nodes: NodeJSON[]): string => nodes.map((node) => this.#keys.of(node)).join(" ");
    return names(mine) === names(theirs) ? mine : [...mine, ...theirs];
  }

  #same(a: NodeJSON, b: NodeJSON): boolean {
    return this.#keys.of(a) === this.#keys.of(b);
  }

  #block(base: NodeJSON, mine: NodeJSON | undefined, theirs: NodeJSON | undefined, path: Path): NodeJSON[] {
    if (mine === undefined || theirs === undefined) {
      const kept = mine ?? theirs;
      if (kept === undefined || this.#same(kept, base)) return [];
      this.#conflict(path, base, mine, theirs);
      return [kept];
    }
    if (this.#same(mine, theirs) || this.#same(theirs, base)) return [mine];
    if (this.#same(mine, base)) return [theirs];
    const merged = this.#changed({ base, mine, theirs }, path);
    if (merged !== undefined) return [merged];
    this.#conflict(path, base, mine, theirs);
    return [mine, theirs];
  }

  #conflict(path: Path, base: NodeJSON, mine: NodeJSON | undefined, theirs: NodeJSON | undefined): void {
    this.conflicts.push({ path, base, mine: mine ?? null, theirs: theirs ?? null });
  }

  // One node of what both sides changed; undefined where they changed the same part of it.
  #changed(versions: Versions, path: Path): NodeJSON | undefined {
    const { base, mine, theirs } = versions;
    const attrs = mergeAttrs(versions);
    const type = base.type === mine.type ? theirs.type : mine.type;
    const isOneType = base.type === mine.type || base.type === theirs.type || mine.type === theirs.type;
    if (attrs === undefined || !isOneType) return undefined;
    if (isLine(base) && isLine(mine) && isLine(theirs)) return withContent(type, attrs, this.#line(versions));
    if (mine.type !== base.type || theirs.type !== base.type) return undefined;
    if ([base, mine, theirs].some(this.#isWhole)) return undefined;
    if (type === "codeBlock") return withContent(type, attrs, this.#code(versions));
    if (type === "tableRow") return withContent(type, attrs, this.#cells(versions));
    if (!CONTAINERS.has(type) || columnsOf(mine) !== columnsOf(base) || columnsOf(theirs) !== columnsOf(base)) {
      return undefined;
    }
    return withContent(type, attrs, this.children(versions, path));
  }

  #line({ base, mine, theirs }: Versions): NodeJSON[] | undefined {
    const pieces = [mine, theirs, base].map((node) => piecesOf(childrenOf(node)));
    const [one = [], other = [], old = []] = pieces.map((row) => row.map(({ nodes }) => this.#keys.ofPiece(nodes)));
    const rows = mergeRows(old, one, other, this.#budget);
    return rows?.flatMap(({ side, index }) => pieces[side]?.[index]?.nodes ?? []);
  }

  #code({ base, mine, theirs }: Versions): NodeJSON[] | undefined {
    const lines = [mine, theirs, base].map((node) => (childrenOf(node)[0]?.text ?? "").split("\n"));
    const [one = [], other = [], old = []] = lines;
    const rows = mergeRows(old, one, other, this.#budget);
    if (rows === undefined) return undefined;
    const text = rows.map(({ side, index }) => lines[side]?.[index] ?? "").join("\n");
    return text === "" ? [] : [textNode(text)];
  }

  // A row whose cells can all be merged. Otherwise both rows stay.
  #cells({ base, mine, theirs }: Versions): NodeJSON[] | undefined {
    const cells: NodeJSON[] = [];
    const own = childrenOf(mine);
    for (const [index, old] of childrenOf(base).entries()) {
      const one = own[index];
      const other = childrenOf(theirs)[index];
      if (one === undefined || other === undefined) return undefined;
      const cell = this.#cell({ base: old, mine: one, theirs: other });
      if (cell === undefined) return undefined;
      cells.push(cell);
    }
    return cells.length === own.length && cells.length === childrenOf(theirs).length ? cells : undefined;
  }

  #cell({ base, mine, theirs }: Versions): NodeJSON | undefined {
    if (this.#same(mine, theirs) || this.#same(theirs, base)) return mine;
    if (this.#same(mine, base)) return theirs;
    const attrs = mergeAttrs({ base, mine, theirs });
    const [old, one, other] = [base, mine, theirs].map((cell) => childrenOf(cell)[0]);
    if (attrs === undefined || !old || !one || !other) return undefined;
    const line = withContent("paragraph", {}, this.#line({ base: old, mine: one, theirs: other }));
    return line && withContent(mine.type, attrs, [line]);
  }
}

const columnsOf = (node: NodeJSON): number =>
  node.type === "table" ? childrenOf(childrenOf(node)[0] ?? node).length : 0;

function withContent(type: string, attrs: Attrs, content: NodeJSON[] | undefined): NodeJSON | undefined {
  if (content === undefined) return undefined;
  const own = Object.keys(attrs).length === 0 ? { type } : { type, attrs };
  return content.length === 0 ? own : { ...own, content };
}

// Undefined where both sides changed one attribute in different ways.
function mergeAttrs({ base, mine, theirs }: Versions): Attrs | undefined {
  const attrs: { [name: string]: AttrValue } = {};
  for (const name of new Set([...Object.keys(mine.attrs ?? {}), ...Object.keys(theirs.attrs ?? {})])) {
    const [old, one, other] = [base, mine, theirs].map((node) => JSON.stringify(node.attrs?.[name]));
    if (one !== other && one !== old && other !== old) return undefined;
    const value = (one === old ? theirs : mine).attrs?.[name];
    if (value !== undefined) attrs[name] = value;
  }
  return attrs;
}
