import type { Locale } from "../index.ts";
import type { TableWords } from "./en.ts";

export type { TableWords };

/** Loads the words of what is done with rows and columns, in one language only. */
export async function loadTableWords(locale: Locale): Promise<TableWords> {
  return locale === "ar" ? (await import("./ar.ts")).ar : (await import("./en.ts")).en;
}
