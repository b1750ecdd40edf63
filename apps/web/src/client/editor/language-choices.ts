import { codeLanguages, languageAliases, languageNamed, languageOf } from "../reading/code-languages.ts";
import { matchWords } from "./match-words.ts";

/** A language that can be chosen: the line that opens the code in it, and its name. */
export type LanguageChoice = { readonly info: string; readonly label: string };

type ChoiceWords = { readonly plain: string; readonly use: (name: string) => string };

/**
 * Returns the languages that can be chosen where `typed` is written in place of `before`, the best first. A known one keeps what the
 * line says behind the language, such as `{1,3}`; everything else is taken as it is typed.
 */
export function languageChoices(before: string, typed: string, words: ChoiceWords): readonly LanguageChoice[] {
  const wanted = typed
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const all = knownChoices(before, words);
  if (typed === before || wanted === before.trim()) {
    const isListed = all.some(({ info }) => info === before);
    return withFirst(isListed ? all : [{ info: before, label: before }, ...all], ({ info }) => info === before);
  }
  const named = languageNamed(wanted);
  const found = withFirst(matchWords(wanted, all), ({ language }) => language !== "" && language === named);
  const isListed = found.some(({ info }) => info === wanted);
  return isListed ? found : [...found, { info: wanted, label: words.use(wanted) }];
}

function knownChoices(before: string, { plain }: ChoiceWords) {
  const current = languageOf(before);
  const now = languageNamed(current);
  const rest = now === undefined ? "" : before.slice(current.length);
  const known = Object.entries(codeLanguages).map(([language, label]) => {
    const others = [...languageAliases].flatMap(([alias, name]) => (name === language ? [alias] : []));
    // The language that is chosen already stays as it is written.
    return {
      language,
      info: language === now ? before : language + rest,
      label,
      words: [language, ...others].join(" "),
    };
  });
  return [{ language: "", info: "", label: plain, words: "text plain" }, ...known];
}

function withFirst<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): readonly Item[] {
  return [...items.filter(isFirst), ...items.filter((item) => !isFirst(item))];
}
