import { isolated } from "../isolated.ts";

/** The words of what is done with code in English. */
export const en = {
  language: "Language of the code",
  languages: "Languages",
  plain: "Plain text",
  noLanguage: "Type the name of a language.",
  use: (name: string) => `Use ${isolated(name)}`,
  copy: "Copy the code",
  notCopied: "Your browser did not allow copying. Select the code and copy it by hand.",
  languageNow: (name: string) => `Language of the code: ${isolated(name)}`,
};

export type CodeWords = typeof en;
