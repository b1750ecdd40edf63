import type { Token } from "markdown-it";
import type { Labels } from "../label.ts";

/** Where a directive ends: the line after it, or -1 for none; and whether that holds for a search inside its container, too. */
export type DirectiveEnd = { readonly end: number; readonly isForInside: boolean };

/** State that the rules of one parse share; it travels as markdown-it's `env`. */
export interface Environment {
  /** The folded labels of the footnotes that are defined. */
  readonly footnotes: Set<string>;
  /** Labels that are defined elsewhere, where only a part of a document is read. */
  readonly known: Labels | undefined;
  /** How many containers may lie around a block. */
  readonly containers: number;
  /** For each condition of HTML blocks and each margin, the line up to which no block of it is closed. */
  readonly unclosed: Map<number, number>;
  /** For each level and margin, the ends of the directives by their first lines. */
  readonly directives: Map<number, Map<number, DirectiveEnd>>;
  /** True while the tokens of a block may still be thrown away: they are not taken. */
  isHolding: boolean;
  /** True where the block before is text that could go on, or a directive. */
  followsText(): boolean;
  /** Takes the finished tokens away: none has to live until the text ends. */
  take(tokens: Token[]): void;
  /** Takes a finished paragraph, or a heading where `level` is not 0. `line` counts from 1. */
  text(content: string, level: number, line: number): void;
}

/** The environment of a parse: every parse of this package is started with one. */
export function environmentOf(state: { readonly env: Environment }): Environment {
  return state.env;
}

/** True where a footnote with this folded label is defined. */
export function isDefined({ footnotes, known }: Environment, label: string): boolean {
  return footnotes.has(label) || (known?.has(label) ?? false);
}
