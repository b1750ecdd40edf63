import type { Language } from "@kb/core";
import { ar } from "./ar.ts";
import { en } from "./en.ts";
import type { PageWords } from "./page-words.ts";

const words: Readonly<Record<Language, PageWords>> = { en, ar };

/** Returns the words of the pages of log-in, log-out, consent and problems in a language. */
export const pageWordsOf = (language: Language): PageWords => words[language];
