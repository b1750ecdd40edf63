/** The forms of a counted phrase, with `#` where the number stands. */
export type PluralForms = { readonly other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

type Language = { readonly rules: Intl.PluralRules; readonly number: Intl.NumberFormat };

const languages = new Map<string, Language>();

/** Returns a function that words a count by the plural rules of the language, with the number as the language writes it. */
export function plural(locale: string): (count: number, forms: PluralForms) => string {
  return (count, forms) => {
    const { rules, number } = languageOf(locale);
    return (forms[rules.select(count)] ?? forms.other).replace("#", number.format(count));
  };
}

/** Not before the first count: the browser reads the data of a language for it, which would take a part of the start. */
function languageOf(locale: string): Language {
  const known = languages.get(locale) ?? {
    rules: new Intl.PluralRules(locale),
    number: new Intl.NumberFormat(locale),
  };
  languages.set(locale, known);
  return known;
}
