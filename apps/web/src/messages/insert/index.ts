import type { Locale } from "../index.ts";
import type { InsertWords } from "./en.ts";

export type { InsertWords };

/** Loads the words of what can be inserted, in one language only. */
export async function loadInsertWords(locale: Locale): Promise<InsertWords> {
  return locale === "ar" ? (await import("./ar.ts")).ar : (await import("./en.ts")).en;
}
