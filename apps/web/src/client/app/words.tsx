import { createContext, useContext } from "react";
import type { Locale, Messages } from "../../messages/index.ts";

/** The language of the page and its words. */
export type Words = { readonly locale: Locale; readonly messages: Messages };

/** Provides the words to every component. */
export const WordsContext = createContext<Words | undefined>(undefined);

/** Returns the words of the reader's language. */
export function useWords(): Words {
  const words = useContext(WordsContext);
  if (words === undefined) throw new Error("A component needs WordsContext");
  return words;
}
