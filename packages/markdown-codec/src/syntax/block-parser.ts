import type { StateBlock } from "markdown-it";
import { CodecError } from "../error.ts";
import type { BlockRule } from "./rule.ts";

/** The rules that end a block before its container ends, by the names that markdown-it's rules ask with. */
export interface TerminatingRules {
  readonly [block: string]: readonly BlockRule[];
}

const NO_RULES: readonly BlockRule[] = [];

/** Reads blocks by one rule, in the place of markdown-it's parser, which brings all of its rules along. */
export class BlockParser {
  readonly ruler: { getRules(block: string): readonly BlockRule[] };
  readonly #rule: BlockRule;

  constructor(rule: BlockRule, terminating: TerminatingRules) {
    this.#rule = rule;
    this.ruler = { getRules: (block) => terminating[block] ?? NO_RULES };
  }

  /** Reads the blocks between two lines of one container. */
  tokenize(state: StateBlock, startLine: number, endLine: number): void {
    let line = startLine;
    let hasEmptyLines = false;
    while (line < endLine) {
      line = state.skipEmptyLines(line);
      state.line = line;
      if (line >= endLine || (state.sCount[line] ?? 0) < state.blkIndent) return;
      this.#rule(state, line, endLine, false);
      if (state.line <= line)
        throw new CodecError("INVALID_DOC", "A rule for blocks took no line.", { line: line + 1 });
      state.tight = !hasEmptyLines;
      line = state.line;
      hasEmptyLines ||= state.isEmpty(line - 1);
      if (line < endLine && state.isEmpty(line)) {
        hasEmptyLines = true;
        line++;
        state.line = line;
      }
    }
  }
}
