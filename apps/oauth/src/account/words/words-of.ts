import type { Language } from "@kb/core";
import type { AccountWords } from "./account-words.ts";
import { ar } from "./ar.ts";
import { en } from "./en.ts";

const words: Readonly<Record<Language, AccountWords>> = { en, ar };

/** Returns the words of the account's pages in a language. */
export const wordsOf = (language: Language): AccountWords => words[language];
