import type { StateBlock, StateCore } from "markdown-it";
import { CodecError } from "../error.ts";
import { environmentOf } from "./environment.ts";

const CONTAINERS = new Set(["blockquote_open", "list_item_open", "footnote_open"]);

function tooDeep(containers: number, line: number | undefined): CodecError {
  return new CodecError("NESTING", `Blocks are nested deeper than ${containers} containers.`, { line });
}

/**
 * First of the block rules. At its own limit markdown-it drops text without a word; this error comes before that limit
 * is reached.
 */
export function nesting(state: StateBlock, startLine: number): boolean {
  const { containers } = environmentOf(state);
  if (state.level >= containers) throw tooDeep(containers, startLine + 1);
  return false;
}

/** An empty container has no block at which the rule above could be asked. */
export function emptyContainers(state: StateCore): void {
  const { containers } = environmentOf(state);
  for (const token of state.tokens) {
    if (token.level >= containers - 1 && CONTAINERS.has(token.type)) {
      throw tooDeep(containers, token.map ? token.map[0] + 1 : undefined);
    }
  }
}
