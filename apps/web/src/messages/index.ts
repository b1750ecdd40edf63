import type { Messages } from "./en.ts";

export type { Messages };

/** A language of the app. */
export type Locale = "en" | "ar";

/** The languages, each in its own words, with the direction of its script. */
export const locales: Readonly<Record<Locale, { readonly name: string; readonly direction: "ltr" | "rtl" }>> = {
  en: { name: "English", direction: "ltr" },
  ar: { name: "العربية", direction: "rtl" },
};

/** The languages with their own names, in the order of choices. */
export const localeChoices: readonly (readonly [Locale, string])[] = [
  ["en", locales.en.name],
  ["ar", locales.ar.name],
];

/** Returns whether the app has this language. */
export function isLocale(value: string | undefined): value is Locale {
  return value !== undefined && Object.hasOwn(locales, value);
}

/** Loads the words of one language only. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  return locale === "ar" ? (await import("./ar.ts")).ar : (await import("./en.ts")).en;
}
