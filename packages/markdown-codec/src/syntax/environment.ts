/** A set of folded labels, of which only this is asked. */
export interface Labels {
  has(label: string): boolean;
}

/** What the rules of one parse know in common; it travels as markdown-it's `env`. */
export interface Environment {
  /** The folded labels of the footnotes that are defined. */
  readonly footnotes: Set<string>;
  /** Labels that are defined elsewhere, where only a part of a document is read. */
  readonly known?: Labels;
  /** How many containers may lie around a block. */
  readonly containers: number;
  /** How many characters the addresses and titles of all links may have together. */
  readonly addresses: number;
  /** In strict mode: the labels of the definitions of links that nothing has used yet. */
  readonly unused?: Set<string>;
}

/** The environment of a parse: every parse of this package is started with one. */
export function environmentOf(state: { readonly env: Environment }): Environment {
  return state.env;
}

/** True where a footnote with this folded label is defined. */
export function isDefined(environment: Environment, label: string): boolean {
  return environment.footnotes.has(label) || (environment.known?.has(label) ?? false);
}
