import { z } from "zod";

const tag = /^[a-z]{2,3}(?:[-_][a-z0-9]{1,8})*$/i;

/** Codes that people also use for the languages of `languageOf`. */
const alternatives = new Map([
  ["no", "nb"],
  ["nn", "nb"],
  ["iw", "he"],
  ["in", "id"],
]);

/** Accepts a language tag, such as `de` or `pt-BR`, and returns its language without region and script. */
export const PreferredLanguage = z
  .string()
  .regex(tag, "Must be a language tag such as en, de or pt-BR")
  .transform((text) => {
    const [language = ""] = text.toLowerCase().split(/[-_]/);
    return alternatives.get(language) ?? language;
  })
  .meta({ description: "Documents in this language come first", example: "de" });
