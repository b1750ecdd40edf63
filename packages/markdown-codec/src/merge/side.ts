import { type Budget, compareLines } from "../diff/lines.ts";
import type { NodeJSON } from "../types.ts";
import type { Keys } from "./keys.ts";

/** The blocks of the base after the changes of one side. */
export interface Side {
  /** For each block of the base: the same, its new version, or undefined where it is gone. */
  readonly fates: readonly (NodeJSON | undefined)[];
  /** New blocks before each block of the base, and after the last. */
  readonly inserted: readonly NodeJSON[][];
}

// Looks for a new version among at most this number of blocks.
const MOST_AHEAD = 8;

/** Finds what a side did to a row of blocks. */
export function sideOf(base: NodeJSON[], own: NodeJSON[], keys: Keys, budget: Budget): Side {
  const fates: (NodeJSON | undefined)[] = base.map(() => undefined);
  const inserted: NodeJSON[][] = Array.from({ length: base.length + 1 }, () => []);
  const nameOf = (node: NodeJSON): string => keys.of(node);
  let from = 0;
  let start = 0;
  let x = 0;
  let y = 0;
  const settle = (): void => {
    let open = start;
    for (let index = from; index < x; index++) {
      const old = base[index];
      const match = old ? findVersion(old, own, open, Math.min(y, open + MOST_AHEAD), keys) : -1;
      if (match === -1) continue;
      for (const node of own.slice(open, match)) inserted[index]?.push(node);
      fates[index] = own[match];
      open = match + 1;
    }
    for (const node of own.slice(open, y)) inserted[x]?.push(node);
  };
  for (const { sign } of compareLines(base.map(nameOf), own.map(nameOf), budget)) {
    if (sign === "-") x++;
    else if (sign === "+") y++;
    else {
      settle();
      fates[x] = base[x];
      from = ++x;
      start = ++y;
    }
  }
  settle();
  return { fates, inserted };
}

function findVersion(old: NodeJSON, own: NodeJSON[], from: number, to: number, keys: Keys): number {
  for (let index = from; index < to; index++) {
    const candidate = own[index];
    if (candidate && areComparable(old, candidate) && keys.areSimilar(old, candidate)) return index;
  }
  return -1;
}

const isLine = ({ type }: NodeJSON): boolean => type === "paragraph" || type === "heading";

function areComparable(a: NodeJSON, b: NodeJSON): boolean {
  if (a.type === "footnoteDefinition") return b.type === a.type && a.attrs?.label === b.attrs?.label;
  return a.type === b.type || (isLine(a) && isLine(b));
}
