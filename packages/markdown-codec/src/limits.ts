import { CodecError } from "./error.ts";
import type { Limits } from "./types.ts";

const DEFAULTS: Limits = { bytes: 10_000_000, depth: 100, nodes: 1_000_000, refExpansion: 100_000 };

/** The limits that hold where the caller names none, or only some. */
export function withDefaults(limits?: Partial<Limits>): Limits {
  return limits ? { ...DEFAULTS, ...limits } : DEFAULTS;
}

// A depth that the stacks of all engines hold; options cannot raise it.
const DEEPEST = 250;

/** How many containers (a list and its item count as two) may lie around a block: a level of lists is two. */
export function containerLimit(limits: Limits): number {
  return 2 * Math.min(limits.depth, DEEPEST);
}

/** Throws `LIMIT` where the text is larger than `limits.bytes` in UTF-8. */
export function checkBytes(text: string, limits: Limits): void {
  // A UTF-16 unit is at most three bytes of UTF-8: most texts need no count.
  if (text.length * 3 <= limits.bytes) return;
  if (text.length > limits.bytes || new TextEncoder().encode(text).length > limits.bytes) {
    throw new CodecError("LIMIT", `The text is larger than ${limits.bytes} bytes.`);
  }
}

/** Throws `LIMIT` where there are more nodes than `limits.nodes`. */
export function checkNodes(nodes: number, limits: Limits): void {
  if (nodes > limits.nodes) throw new CodecError("LIMIT", `The document has more than ${limits.nodes} nodes.`);
}
