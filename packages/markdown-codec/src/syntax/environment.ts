import type { Token } from "markdown-it";
import type { Labels } from "../label.ts";

/** What the rules of one parse know in common; it travels as markdown-it's `env`. */
export interface Environment {
  /** The folded labels of the footnotes that are defined. */
  readonly footnotes: Set<string>;
  /** Labels that are defined elsewhere, where only a part of a document is read. */
  readonly known: Labels | undefined;
  /** How many containers may lie around a block. */
  readonly containers: number;
  /** Takes the finished tokens away: none has to live until the text ends. */
  take(tokens: Token[]): void;
}

/** The environment of a parse: every parse of this package is started with one. */
export function environmentOf(state: { readonly env: Environment }): Environment {
  return state.env;
}

/** True where a footnote with this folded label is defined. */
export function isDefined({ footnotes, known }: Environment, label: string): boolean {
  return footnotes.has(label) || (known?.has(label) ?? false);
}
