import type { Locale } from "../index.ts";
import type { SettingsWords } from "./en.ts";

export type { SettingsWords };

/** Loads the words of the settings in one language only. */
export async function loadSettingsWords(locale: Locale): Promise<SettingsWords> {
  return locale === "ar" ? (await import("./ar.ts")).ar : (await import("./en.ts")).en;
}
