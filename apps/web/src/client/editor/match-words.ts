/** Something that is found by its name and by other words for it. */
export type Named = {
  readonly label: string;
  /** Further words, with spaces between them. */
  readonly words: string;
};

/**
 * Returns those of which each word of a query begins a word, without regard to case, accents and the Arabic article; those whose
 * names begin with the query come first.
 */
export function matchWords<Entry extends Named>(query: string, entries: readonly Entry[]): Entry[] {
  const asked = wordsOf(query);
  const begins = plain(query.trim());
  const found = entries.filter(({ label, words }) => {
    const known = wordsOf(`${label} ${words}`);
    return asked.every((word) =>
      known.some((each) => each.startsWith(word) || withoutArticle(each).startsWith(withoutArticle(word))),
    );
  });
  const isBest = ({ label }: Entry): boolean => withoutArticle(plain(label)).startsWith(withoutArticle(begins));
  return [...found.filter(isBest), ...found.filter((entry) => !isBest(entry))];
}

const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();

const withoutArticle = (word: string): string => word.replace(/^ال/u, "");

const wordsOf = (text: string): string[] => plain(text).split(/\s+/u).filter(Boolean);
