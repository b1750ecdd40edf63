import { isolated } from "../isolated.ts";
import type { CodeWords } from "./en.ts";

/** The words of what is done with code in Arabic. */
export const ar: CodeWords = {
  language: "لغة الشفرة",
  languages: "اللغات",
  plain: "نص عادي",
  noLanguage: "اكتب اسم لغة.",
  use: (name) => `استخدم ${isolated(name)}`,
  copy: "انسخ الشفرة",
  notCopied: "لم يسمح متصفحك بالنسخ. حدد الشفرة وانسخها بنفسك.",
  languageNow: (name) => `لغة الشفرة: ${isolated(name)}`,
};
