import type { StateBlock, StateCore, StateInline } from "markdown-it";

/** What the rules of one parse know in common; it travels as markdown-it's `env`. */
export interface Environment {
  /** The folded labels of the footnotes that are defined. */
  readonly footnotes: Set<string>;
  /** How many containers may lie around a block. */
  readonly containers: number;
}

/** The environment of a parse: every parse of this package is started with one. */
export function environmentOf(state: StateBlock | StateCore | StateInline): Environment {
  const environment: Environment = state.env;
  return environment;
}
