import type { Locale } from "../index.ts";
import type { CodeWords } from "./en.ts";

export type { CodeWords };

/** Loads the words of what is done with code, in one language only. */
export async function loadCodeWords(locale: Locale): Promise<CodeWords> {
  return locale === "ar" ? (await import("./ar.ts")).ar : (await import("./en.ts")).en;
}
