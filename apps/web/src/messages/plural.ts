/** The forms of a counted phrase, with `#` where the number stands. */
export type PluralForms = { readonly other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** Returns a function that words a count by the plural rules of the language, with the number as the language writes it. */
export function plural(locale: string): (count: number, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(locale);
  const number = new Intl.NumberFormat(locale);
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replace("#", number.format(count));
}
