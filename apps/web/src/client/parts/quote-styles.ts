/** The signs of each style of quotation marks: the outer pair, and the one for a quotation in a quotation. */
export const quoteStyles = {
  en: ["“", "”", "‘", "’"],
  ar: ["«", "»", "“", "”"],
  de: ["„", "“", "‚", "‘"],
  "de-CH": ["«", "»", "‹", "›"],
  fr: ["«\u202f", "\u202f»", "“", "”"],
  es: ["«", "»", "“", "”"],
  ru: ["«", "»", "„", "“"],
  pl: ["„", "”", "«", "»"],
  sv: ["”", "”", "’", "’"],
  da: ["»", "«", "›", "‹"],
} as const;

/** A style of quotation marks, by the language that writes them so. */
export type QuoteStyle = keyof typeof quoteStyles;

/** Returns whether the value names a style. */
export const isQuoteStyle = (value: string): value is QuoteStyle => Object.hasOwn(quoteStyles, value);
