/** The forms of a counted phrase, with `#` where the number stands. */
export type PluralForms = { readonly other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/**
 * The plural rules (Unicode CLDR) of the languages for whole numbers, and the sign between thousands. They are written here because the
 * browser reads the data of a language for its own, which takes a sixth of the start.
 */
const languages = {
  en: { ruleOf: (count: number): Intl.LDMLPluralRule => (count === 1 ? "one" : "other"), group: "," },
  ar: { ruleOf: arabicRule, group: "," },
} as const;

function arabicRule(count: number): Intl.LDMLPluralRule {
  if (count === 0) return "zero";
  if (count === 1) return "one";
  if (count === 2) return "two";
  const end = count % 100;
  if (end >= 3 && end <= 10) return "few";
  return end >= 11 ? "many" : "other";
}

/** Returns a function that words a whole number by the plural rules of the language, with the number as the language writes it. */
export function plural(locale: keyof typeof languages): (count: number, forms: PluralForms) => string {
  const { ruleOf, group } = languages[locale];
  return (count, forms) => {
    const form = forms[ruleOf(count)] ?? forms.other;
    return form.replace("#", String(count).replace(/\B(?=(?:\d{3})+$)/g, group));
  };
}
