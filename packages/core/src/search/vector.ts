/** Where in a document a lexeme stands; `title` counts most. */
export type Field = "title" | "tags" | "headings" | "text";

// PostgreSQL allows 1,048,575 bytes of lexemes and positions in one tsvector.
const maxBytes = 1_000_000;
// More than real texts have; what a text made of noise has beyond it is not worth the time.
const maxLexemes = 200_000;
const flags: Readonly<Record<Field, number>> = { title: 1, tags: 2, headings: 4, text: 0 };
const countUnit = 8;
const weightedPositions = ["1A", "2B", "3C"];
const textPositions = ["", ",4", ",4,5", ",4,5,6", ",4,5,6,7"];

/** Stands before a lexeme of the title, so that the index alone tells which documents have it there. */
export const titleMark = "=";

/** Collects the lexemes of one document. */
export class VectorBuilder {
  // Per lexeme three bits for title, tags and headings, above them the number of times that it stands in the text.
  readonly #lexemes = new Map<string, number>();

  /** Nothing new is taken any more. */
  get full(): boolean {
    return this.#lexemes.size >= maxLexemes;
  }

  add(lexeme: string, field: Field): void {
    const known = this.#lexemes.get(lexeme) ?? 0;
    this.#lexemes.set(lexeme, field === "text" ? known + countUnit : known | flags[field]);
    if (field === "title") this.#lexemes.set(titleMark + lexeme, 1);
  }

  lexemes(): Iterable<string> {
    return this.#lexemes.keys();
  }

  /**
   * The literal of the tsvector. A lexeme has one position for each of title, tags and headings that it stands in and up
   * to four for the text (by the logarithm of their number): positions carry weight, not place. A vector that would grow
   * past the limit leaves out the positions of the text first, and then the lexemes that came last.
   */
  literal(): string {
    return this.#write(true) ?? this.#write(false) ?? "";
  }

  #write(withTextPositions: boolean): string | null {
    const entries: string[] = [];
    let bytes = 0;
    for (const [lexeme, packed] of this.#lexemes) {
      const positions = withTextPositions || (packed & 7) !== 0 ? positionsOf(packed) : "";
      bytes += Buffer.byteLength(lexeme) + (positions === "" ? 0 : 4 + positions.length);
      if (bytes > maxBytes) {
        if (withTextPositions) return null;
        break;
      }
      entries.push(positions === "" ? quoted(lexeme) : `${quoted(lexeme)}:${positions}`);
    }
    return entries.join(" ");
  }
}

function positionsOf(packed: number): string {
  const weighted = weightedPositions.filter((_, index) => (packed >> index) & 1).join(",");
  const count = packed >> 3;
  // A lexeme without a position ranks as one that stands in the text once.
  if (weighted === "" && count <= 1) return "";
  const inText = textPositions[Math.min(4, 32 - Math.clz32(count))] ?? "";
  return weighted === "" ? inText.slice(1) : weighted + inText;
}

/** A lexeme as tsvector and tsquery literals spell it. */
export function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll(/['\\]/g, "$&$&")}'`;
}
