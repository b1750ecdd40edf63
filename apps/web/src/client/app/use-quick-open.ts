import { useQuery } from "@tanstack/react-query";
import type { OutputOf } from "../api/contract.ts";
import { isAnswered, recentQuery, searchQuery, suggestQuery } from "../api/queries.ts";

/** Documents that quick open shows. */
export type QuickOpenDocuments = {
  /** Those that the reader opened last, before anything is typed. */
  readonly recent: NonNullable<OutputOf<"documents.recent">["viewed"]>;
  readonly byTitle: OutputOf<"documents.suggest">;
  /** Those with the words in their text that are not found by their title. */
  readonly byText: OutputOf<"documents.search">["data"];
  /** Whether the first of them will stay the first. */
  readonly isFirstKnown: boolean;
  /** Whether no document was found. */
  readonly isNothing: boolean;
};

const fewRecent = 8;

/** Finds documents for quick open by title and by text; without words, those that were opened last. */
export function useQuickOpen(query: string, isEmpty: boolean): QuickOpenDocuments {
  const recent = useQuery({ ...recentQuery, enabled: isEmpty });
  const titles = useQuery(suggestQuery(query));
  const texts = useQuery({ ...searchQuery({ query, limit: 8 }), enabled: query !== "" });
  const byTitle = query === "" ? [] : (titles.data ?? []);
  const isShown = new Set(byTitle.map(({ id }) => id));
  const byText = query === "" ? [] : (texts.data?.data ?? []).filter(({ document }) => !isShown.has(document.id));
  const isComplete = isAnswered(titles) && isAnswered(texts);
  return {
    recent: isEmpty ? (recent.data?.viewed ?? []).slice(0, fewRecent) : [],
    byTitle,
    byText,
    // A text found later stands below the titles, so that it changes the first entry only if there is no title.
    isFirstKnown: isAnswered(titles) && (byTitle.length > 0 || isAnswered(texts)),
    isNothing: query !== "" && isComplete && byTitle.length + byText.length === 0,
  };
}
