import type { Locale } from "./index.ts";

/** How a time is told: the day, the time of a day that is known, both, or everything. */
export type TimeForm = "day" | "time" | "minute" | "exact";

const forms: Readonly<Record<TimeForm, Intl.DateTimeFormatOptions>> = {
  day: { dateStyle: "medium" },
  time: { timeStyle: "short" },
  minute: { dateStyle: "medium", timeStyle: "short" },
  exact: { dateStyle: "full", timeStyle: "short" },
};

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a format of times in a language. */
export function timeFormat(locale: Locale, form: TimeForm): Intl.DateTimeFormat {
  const key = `${locale} ${form}`;
  // The digits of counts, in every browser.
  const known = formats.get(key) ?? new Intl.DateTimeFormat(`${locale}-u-nu-latn`, forms[form]);
  formats.set(key, known);
  return known;
}
