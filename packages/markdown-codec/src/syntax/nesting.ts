import type { StateBlock } from "markdown-it";
import { CodecError } from "../error.ts";
import { environmentOf } from "./environment.ts";

/** The error for a block that lies in too many containers. */
export function tooDeep(containers: number, line: number): CodecError {
  return new CodecError("NESTING", `Blocks are nested deeper than ${containers} containers.`, { line });
}

/**
 * First of the block rules, asked before every block and every row of a table: what stands before it is finished. At
 * its own limit markdown-it drops text without a word; the error here comes before that limit is reached.
 */
export function blockStart(state: StateBlock, line: number, _: number, silent: boolean): boolean {
  const environment = environmentOf(state);
  if (!silent && state.level >= environment.containers) throw tooDeep(environment.containers, line + 1);
  if (!environment.isHolding) environment.take(state.tokens);
  return false;
}
