/** The fence of code that is open after a line: `open` is the one before it, "" for none. */
export function fenceAfter(open: string, text: string): string {
  const [marks = ""] = /^(?:`{3,}|~{3,})/.exec(text) ?? [];
  if (open === "") return marks;
  return marks.startsWith(open) && text.trim() === marks ? "" : open;
}

/** The directives that are open at a line. */
export class OpenDirectives {
  readonly #ends: Map<number, number>;
  readonly #open: { readonly line: number; readonly colons: number }[] = [];
  // How many of them have this number of colons.
  readonly #counts = new Map<number, number>();

  constructor(ends: Map<number, number>) {
    this.#ends = ends;
  }

  isOutermost(colons: number): boolean {
    return colons > 3 && this.#open[0]?.colons === colons;
  }

  get isEmpty(): boolean {
    return this.#open.length === 0;
  }

  push(line: number, colons: number): void {
    this.#open.push({ line, colons });
    this.#counts.set(colons, (this.#counts.get(colons) ?? 0) + 1);
  }

  close(line: number, colons: number): void {
    // Those inside that nothing has closed end unclosed.
    if (this.#counts.get(colons)) while (this.#open.at(-1)?.colons !== colons) this.#pop(-1);
    if ((this.#open.at(-1)?.colons ?? colons + 1) <= colons) this.#pop(line + 1);
  }

  giveUp(): void {
    while (!this.isEmpty) this.#pop(-1);
  }

  #pop(end: number): void {
    const last = this.#open.pop();
    if (last === undefined) return;
    this.#ends.set(last.line, end);
    this.#counts.set(last.colons, (this.#counts.get(last.colons) ?? 1) - 1);
  }
}
