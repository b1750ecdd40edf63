import type MarkdownIt from "markdown-it";
import type { StateInline, Token } from "markdown-it";
import { CodecError } from "../error.ts";
import type { Environment } from "./environment.ts";
import type { InlineStates } from "./markdown-it.ts";
import type { InlineRule, PairingRule } from "./rule.ts";

// Brackets within brackets: each costs as many steps as this allows.
const NESTING = 32;

/** Reads lines of text by one rule, in the place of markdown-it's parser, which brings all of its rules along. */
export class InlineParser {
  readonly #states: InlineStates;
  readonly #rule: InlineRule;
  readonly #pairing: readonly PairingRule[];

  constructor(states: InlineStates, rule: InlineRule, pairing: readonly PairingRule[]) {
    this.#states = states;
    this.#rule = rule;
    this.#pairing = pairing;
  }

  /** Moves the state past one token without reading it. */
  skipToken(state: StateInline): void {
    const { pos, cache } = state;
    const known = cache[pos];
    if (known !== undefined) {
      state.pos = known;
      return;
    }
    if (state.level >= NESTING) state.pos = state.posMax + 1;
    else {
      state.level++;
      const isToken = this.#takes(state, true);
      state.level--;
      if (!isToken) state.pos++;
    }
    cache[pos] = state.pos;
  }

  /** Reads the tokens up to the end of the state. */
  tokenize(state: StateInline): void {
    const end = state.posMax;
    while (state.pos < end) {
      if (state.level < NESTING && this.#takes(state, false)) continue;
      state.pending += state.src.charAt(state.pos++);
    }
    if (state.pending) state.pushPending();
  }

  /** Reads a line of text into `tokens`. */
  parse(text: string, md: MarkdownIt, environment: Environment, tokens: Token[]): void {
    const state = new this.#states(text, md, environment, tokens);
    this.tokenize(state);
    for (const pair of this.#pairing) pair(state);
  }

  #takes(state: StateInline, silent: boolean): boolean {
    const { pos } = state;
    if (!this.#rule(state, silent)) return false;
    if (state.pos <= pos) throw new CodecError("INVALID_DOC", "A rule for lines of text took no character.");
    return true;
  }
}
