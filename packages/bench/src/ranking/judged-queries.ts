import { createHash } from "node:crypto";
import type { RealDocument } from "./real-documents.ts";

/** The part of the corpus from which a query was taken. */
type QueryKind = "title" | "heading" | "link";

/** A query with the grades of the documents that answer it, by their number. Others have none. */
export type JudgedQuery = {
  readonly kind: QueryKind;
  readonly language: string;
  readonly text: string;
  readonly grades: ReadonlyMap<number, number>;
};

/** The answer in the language of the query, and the same page in another language. */
const answer = 3;
const translation = 1;
/** A query with more answers in its language does not tell which document is wanted. */
const maxAnswers = 3;

/** The number of queries of each kind in each language; the other languages have `fewest`. */
const many = { title: 25, heading: 23, link: 15 };
const some = { title: 6, heading: 7, link: 4 };
const fewest = { title: 2, heading: 2, link: 1 };
const counts: Readonly<Record<string, typeof many>> = {
  en: many,
  de: some,
  es: some,
  fr: some,
  ja: some,
  ko: some,
  "zh-cn": some,
};

/** The queries that ranking was tuned with, and others, by which it shows whether it fits only the first. */
export type JudgedQueries = { readonly tuned: readonly JudgedQuery[]; readonly heldOut: readonly JudgedQuery[] };

/**
 * Returns the judged queries: titles, headings and the texts of links, as their authors wrote them. The documents with the title or the
 * heading answer the first two, the target answers the third. No document answers queries of both sets. The choice depends on the
 * documents only.
 */
export function judgedQueries(documents: readonly RealDocument[]): JudgedQueries {
  const languages = [...new Set(documents.map(({ language }) => language))].sort();
  const kinds = languages.flatMap((language) => {
    const wanted = counts[language] ?? fewest;
    const titles = byText(documents, language, "title", ({ title }) => [title]);
    const headings = byText(documents, language, "heading", (document) => document.headings);
    return [
      { queries: titles, count: wanted.title },
      { queries: headings, count: wanted.heading },
      { queries: byLink(documents, language), count: wanted.link },
    ];
  });
  const tuned = kinds.flatMap(({ queries, count }) => choose(queries, count));
  const used = new Set(tuned.flatMap(answersOf));
  const isHeldOut = (query: JudgedQuery): boolean => !answersOf(query).some((number) => used.has(number));
  return { tuned, heldOut: kinds.flatMap(({ queries, count }) => choose(queries.filter(isHeldOut), count)) };
}

/** Returns the numbers of the documents that answer a query in its language. */
const answersOf = ({ grades }: JudgedQuery): number[] =>
  [...grades].flatMap(([number, grade]) => (grade === answer ? [number] : []));

/** Returns a text in the form in which two spellings are the same query. */
const comparable = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();

/** A text that people would search for: at least two words, or four characters of a script without spaces. */
const isQuery = (text: string): boolean =>
  text.length <= 100 && (text.split(" ").length >= 2 || /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]{4}/u.test(text));

function byText(
  documents: readonly RealDocument[],
  language: string,
  kind: QueryKind,
  textsOf: (document: RealDocument) => readonly string[],
): JudgedQuery[] {
  const found = new Map<string, { text: string; grades: Map<number, number> }>();
  for (const [number, document] of documents.entries()) {
    for (const text of [document.title, ...textsOf(document)]) {
      const entry = found.get(comparable(text)) ?? { text, grades: new Map() };
      entry.grades.set(number, document.language === language ? answer : translation);
      found.set(comparable(text), entry);
    }
  }
  const own = documents.filter((document) => document.language === language).flatMap(textsOf);
  return [...new Set(own.map(comparable))].flatMap((key) => {
    const entry = found.get(key);
    return entry === undefined || !isQuery(key) ? [] : [{ kind, language, text: entry.text, grades: entry.grades }];
  });
}

function byLink(documents: readonly RealDocument[], language: string): JudgedQuery[] {
  const titles = new Set(documents.map(({ title }) => comparable(title)));
  const targets = new Map<string, { text: string; paths: Set<string> }>();
  for (const document of documents) {
    if (document.language !== language) continue;
    for (const link of document.links) {
      if (link.language !== language || link.path === document.path) continue;
      const key = comparable(link.text);
      const entry = targets.get(key) ?? { text: link.text, paths: new Set() };
      entry.paths.add(link.path);
      targets.set(key, entry);
    }
  }
  return [...targets].flatMap(([key, { text, paths }]) => {
    if (!isQuery(key) || titles.has(key) || paths.size !== 1) return [];
    const grades = new Map<number, number>();
    for (const [number, document] of documents.entries()) {
      if (paths.has(document.path)) grades.set(number, document.language === language ? answer : translation);
    }
    return [{ kind: "link" as const, language, text, grades }];
  });
}

/** Chooses queries by a hash of their text. */
function choose(queries: readonly JudgedQuery[], count: number): JudgedQuery[] {
  const hash = ({ text }: JudgedQuery): string => createHash("sha256").update(text).digest("hex");
  return queries
    .filter((query) => {
      const answers = answersOf(query).length;
      return answers > 0 && answers <= maxAnswers;
    })
    .sort((a, b) => (hash(a) < hash(b) ? -1 : 1))
    .slice(0, count);
}
