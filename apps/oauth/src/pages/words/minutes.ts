/** Returns minutes as they stand after "in" or "wait", in English. */
export const minutesInEnglish = (minutes: number): string => (minutes === 1 ? "a minute" : `${minutes} minutes`);

const arabicForms: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "دقيقة", two: "دقيقتين", few: "# دقائق" };
const arabicRules = new Intl.PluralRules("ar");

/** Returns minutes as they stand after a preposition, in Arabic. */
export const minutesInArabic = (minutes: number): string =>
  (arabicForms[arabicRules.select(minutes)] ?? "# دقيقة").replace("#", String(minutes));
