import { indexTitle, type SearchIndex, textLexemes } from "./index-document.ts";
import { joint, tokens } from "./tokens.ts";
import { indexMark, quoted } from "./vector.ts";

/** A document's stored index, with the vector as PostgreSQL writes it, and its text. */
export type StoredIndex = { readonly folded: string; readonly vector: string; readonly text: string };

/** A longer vector may have lost positions, because it was near the limit of PostgreSQL. */
const maxVectorLength = 500_000;

/** A lexeme of this length may have been cut, so that more of it follows in `folded`. */
const maybeCut = 90;

/**
 * Returns the index of a document under a new title, made of the stored one: only the entries of words that leave or join the
 * title change. `terms` has those of the title. Returns undefined if the whole document has to be indexed: an earlier release
 * indexed it, or a word leaves the title that may be in an address.
 */
export function retitledIndex(stored: StoredIndex, before: string, after: string): SearchIndex | undefined {
  const left = indexTitle(before);
  const joined = indexTitle(after);
  const rest = withoutTitle(stored.folded, left.folded);
  const entries = stored.vector.split(" ");
  if (rest === undefined || stored.vector.length > maxVectorLength || !entries.includes(quoted(indexMark))) {
    return undefined;
  }
  const missing = new Set(left.lexemes);
  const added = new Set(joined.lexemes);
  const inText = lazily(() => textLexemes(stored.text));
  const written: string[] = [];
  for (const entry of entries) {
    const end = entry.lastIndexOf("'");
    const lexeme = entry.slice(1, end);
    const positions = entry.slice(end + 2);
    const wasInTitle = missing.delete(lexeme);
    const isInTitle = added.delete(lexeme);
    if (wasInTitle === isInTitle) written.push(entry);
    else if (isInTitle) written.push(`${quoted(lexeme)}:${joinedPositions(positions, () => inText().has(lexeme))}`);
    else if (positions.startsWith("1A,")) written.push(leftEntry(lexeme, positions));
    else if (positions !== "1A" || mayBeInAddress(lexeme, rest)) return undefined;
  }
  if (missing.size > 0) return undefined;
  return {
    folded: [joined.folded, rest].filter((part) => part !== "").join("\n"),
    vector: [...written, ...Array.from(added, (lexeme) => `${quoted(lexeme)}:1A`)].join(" "),
    terms: joined.terms,
  };
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Returns the fields after the title; undefined if `folded` begins with another title. */
function withoutTitle(folded: string, title: string): string | undefined {
  if (title === "") return folded;
  if (folded === title) return "";
  return folded.startsWith(`${title}\n`) ? folded.slice(title.length + 1) : undefined;
}

/** Returns the positions of a lexeme that joins the title. One without any is in the text once, in an address, or both. */
function joinedPositions(positions: string, isInText: () => boolean): string {
  if (positions !== "") return `1A,${positions}`;
  return isInText() ? "1A,4" : "1A";
}

/** Returns the entry of a lexeme that leaves the title. One that only the text has, and once, needs no position. */
function leftEntry(lexeme: string, positions: string): string {
  const others = positions.slice("1A,".length);
  return others === "4" ? quoted(lexeme) : `${quoted(lexeme)}:${others}`;
}

/** Tells whether a lexeme that no weighted field and no text has may be one of an address: then it is a word of `rest`. */
function mayBeInAddress(lexeme: string, rest: string): boolean {
  const [token] = tokens(lexeme);
  if (token?.kind === "run") return rest.includes(lexeme);
  const words = ` ${lexeme.replaceAll(joint, " ")}`;
  return lexeme.length > maybeCut
    ? rest.includes(words)
    : ["", "++", "#"].some((end) => rest.includes(`${words}${end} `));
}
