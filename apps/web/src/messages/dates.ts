import type { Locale } from "./index.ts";

type TimeFormat = { readonly day: Intl.DateTimeFormat; readonly exact: Intl.DateTimeFormat };

const formats = new Map<Locale, TimeFormat>();

/** Returns the formats of times in a language: the day, and the exact time. */
export function timeFormat(locale: Locale): TimeFormat {
  // The digits of counts, in every browser.
  const language = `${locale}-u-nu-latn`;
  const known = formats.get(locale) ?? {
    day: new Intl.DateTimeFormat(language, { dateStyle: "medium" }),
    exact: new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "short" }),
  };
  formats.set(locale, known);
  return known;
}
