import { readableDocuments } from "@kb/auth";
import { sql } from "@kb/db";
import { metered } from "@kb/telemetry";
import { z } from "zod";
import type { ReadContext } from "../context.ts";
import { type Filters, filterInput, statusCondition } from "../documents/filters.ts";
import { rowsOfPage, toPageRow } from "../documents/page-parts.ts";
import { documentReader } from "../documents/read-documents.ts";
import { type DocumentRow, presentDocument } from "../documents/row.ts";
import { query } from "../operation.ts";
import { Fields, ListedDocument, selectFields } from "../schema/document.ts";
import { Limit, Offset } from "../schema/paging.ts";
import { SearchQuery } from "../schema/text.ts";
import { conditionsOf, type Replacements } from "./conditions.ts";
import { type HitPage, noHits, readHits } from "./hits.ts";
import { needlesOf } from "./needles.ts";
import { type Clause, parseQuery, typedWords } from "./parse-query.ts";
import { PreferredLanguage } from "./preferred-language.ts";
import { htmlSnippet, makeSnippet, type SnippetForm, snippetBudget } from "./snippet.ts";
import { similarTerms } from "./terms.ts";

const input = z.strictObject({
  query: SearchQuery,
  ...filterInput,
  lang: PreferredLanguage.optional(),
  fields: Fields.optional(),
  limit: Limit,
  offset: Offset,
});

/** The parsed input of a search. */
export type SearchRequest = z.output<typeof input> & Pick<Filters, "under">;

/** A hit. `snippet` is HTML: escaped text with matches in `<mark>`. A higher `score` is better. */
const SearchHit = z
  .object({ document: ListedDocument, snippet: z.string(), score: z.number() })
  .meta({ id: "SearchHit" });

/** Says that there are more hits than `total`, which are not counted. Left out where `total` is exact. */
export const TotalIsMinimum = z
  .boolean()
  .optional()
  .describe("true: there are more hits than total, which are not counted");

/** A page of hits with the number that the caller may see. */
export const SearchPage = z
  .object({
    total: z.int(),
    totalIsMinimum: TotalIsMinimum,
    limit: z.int(),
    offset: z.int(),
    data: z.array(SearchHit),
  })
  .meta({ id: "SearchPage" });

/**
 * Finds documents by title, tags, headings and text. The policy is part of the statements that count and page, so that
 * documents which the caller may not read have no effect. 1 statement; 3 when the query as typed finds nothing, and up to 3
 * when it finds very many.
 */
export const searchDocuments = query({
  name: "documents.search",
  summary: "Search documents",
  description:
    'All words must be present, each as the beginning of a word; case and accents do not matter. `"…"` is a phrase, `-word` excludes, `--word` does not. Of an address that is not excluded, the scheme and `www.` do not count, and it is found with its percent signs decoded or as they are. When nothing matches, one typo in a word of five letters or more is tolerated. A title that is the query comes first, then titles that begin with it; with `lang`, documents in that language, and those whose language is not clear, come before all others. `status=archived` finds archived documents; documents in the trash are never found. `total` is exact up to 10,000 hits; of more, it is 10,000 with `totalIsMinimum` on pages before the 10,000th, and exact on later ones.',
  scope: "read",
  capability: "document.read",
  readsReplica: true,
  input,
  output: SearchPage,
  run: (context, request) => searchPage(context, request),
});

/** A page of hits. `similar` is true if nothing matched the query as typed, so that the hits match similar words. */
type FoundPage = z.input<typeof SearchPage> & { readonly similar: boolean };

/** Runs a search, for this operation and those that extend it. Without a form, its snippets are empty. */
export async function searchPage(
  context: ReadContext,
  request: SearchRequest,
  form: SnippetForm | null = htmlSnippet,
): Promise<FoundPage> {
  const clauses = parseQuery(request.query);
  const asTyped = await hitsOf(context, request, clauses);
  if (asTyped.total > 0) return present(context, request, form, clauses, asTyped);
  const replacements = await replacementsOf(context, clauses);
  if (replacements.size === 0) return present(context, request, form, clauses, asTyped);
  const forgiving = await hitsOf(context, request, clauses, replacements);
  return present(context, request, form, clauses, forgiving, replacements);
}

async function hitsOf(
  { reader, actor }: ReadContext,
  request: SearchRequest,
  clauses: readonly Clause[],
  replacements?: Replacements,
): Promise<HitPage> {
  const conditions = conditionsOf(clauses, { ...typedWords(request.query), language: request.lang }, replacements);
  return conditions === null ? noHits : readHits(reader, actor, conditions, request);
}

/**
 * Returns alternatives for a query without hits: words that one typo explains, and the parts of a compound in any
 * place. The vocabulary is written after the commit of a change, without a stamp, so that no replica knows whether it has all of it.
 */
async function replacementsOf({ database, actor }: ReadContext, clauses: readonly Clause[]): Promise<Replacements> {
  const words = clauses.flatMap((clause) => (clause.kind === "word" && clause.prefix ? [clause] : []));
  const simple = words.filter((word) => word.parts.length === 1).map((word) => word.text);
  const replacements = new Map<string, (readonly string[])[]>();
  for (const { text, parts } of words) if (parts.length > 1) replacements.set(text, [parts]);
  for (const [word, terms] of await similarTerms(database, actor.teamId, simple)) {
    if (terms.length > 0)
      replacements.set(
        word,
        terms.map((term) => [term]),
      );
  }
  return replacements;
}

async function present(
  context: ReadContext,
  { fields, status, limit, offset }: SearchRequest,
  form: SnippetForm | null,
  clauses: readonly Clause[],
  { total, totalIsMinimum, rows }: HitPage,
  replacements?: Replacements,
): Promise<FoundPage> {
  const needles = needlesOf(clauses, replacements);
  const budget = snippetBudget();
  const scores = new Map(rows.map(({ id, score }) => [id, Math.round(score * 10_000) / 10_000]));
  const presentHit = (row: DocumentRow): z.input<typeof SearchHit> => ({
    document: selectFields(presentDocument(row, context.appUrl), fields),
    snippet: form === null ? "" : metered(() => makeSnippet(shownText(row), needles, budget, form)),
    score: scores.get(row.id) ?? 0,
  });
  const visibility = sql`d."deletedAt" IS NULL AND ${statusCondition(status)} AND ${readableDocuments(context.actor)}`;
  const data = await rowsOfPage(rows.map(toPageRow(presentHit)), {
    call: context.call,
    read: documentReader(context, {}, visibility),
    unchangedOnly: false,
    present: presentHit,
    schema: SearchHit,
  });
  const similar = total > 0 && replacements !== undefined;
  return { total, ...(totalIsMinimum && { totalIsMinimum }), limit, offset, similar, data };
}

/** A document without text was found by its title, which is shown instead. */
const shownText = ({ text, title }: DocumentRow): string => (text.trim() === "" ? title : text);
