/** The forms of a counted phrase, with `#` where the number stands. */
export type PluralForms = { readonly other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

const rules = new Map<string, Intl.PluralRules>();
const numbers = new Map<string, Intl.NumberFormat>();
/** Below it, every language here writes a number as its digits. */
const firstGrouped = 1_000;

/** Returns a function that words a count by the plural rules of the language, with the number as the language writes it. */
export function plural(locale: string): (count: number, forms: PluralForms) => string {
  return (count, forms) => {
    const form = forms[rulesOf(locale).select(count)] ?? forms.other;
    return form.replace("#", isPlain(count) ? String(count) : numberFormat(locale).format(count));
  };
}

const isPlain = (count: number): boolean => Number.isInteger(count) && count >= 0 && count < firstGrouped;

/** Not before the first count: the browser reads the data of a language for it, which would take a part of the start. */
function rulesOf(locale: string): Intl.PluralRules {
  const known = rules.get(locale) ?? new Intl.PluralRules(locale);
  rules.set(locale, known);
  return known;
}

/** Not before the first large number: its data takes the browser longer than anything else of a language. */
function numberFormat(locale: string): Intl.NumberFormat {
  // The digits of small numbers, in every browser.
  const known = numbers.get(locale) ?? new Intl.NumberFormat(`${locale}-u-nu-latn`);
  numbers.set(locale, known);
  return known;
}
