import { z } from "zod";
import { filterInput } from "../documents/filters.ts";
import { presentDocument } from "../documents/row.ts";
import { query, type ReadContext } from "../operation.ts";
import { Document } from "../schema/document.ts";
import { Limit, Offset } from "../schema/paging.ts";
import { SearchQuery } from "../schema/text.ts";
import { conditionsOf, type Replacements } from "./conditions.ts";
import { type HitPage, noHits, readHits } from "./hits.ts";
import { needlesOf } from "./needles.ts";
import { type Clause, parseQuery } from "./parse-query.ts";
import { makeSnippet, snippetBudget } from "./snippet.ts";
import { similarTerms } from "./terms.ts";

const input = z.strictObject({ query: SearchQuery, ...filterInput, limit: Limit, offset: Offset });

export type SearchRequest = z.output<typeof input>;

/** A document that was found. `snippet` is HTML: text escaped, what matched between `<mark>`. A higher `score` is better. */
const SearchHit = z.object({ document: Document, snippet: z.string(), score: z.number() }).meta({ id: "SearchHit" });

/** A page of hits, with how many the caller could see in all. */
export const SearchPage = z
  .object({ total: z.int(), limit: z.int(), offset: z.int(), data: z.array(SearchHit) })
  .meta({ id: "SearchPage" });

/**
 * Finds documents by their title, tags, headings and text. What the caller may not read does not exist for it: the
 * policy is part of the statement that counts and pages. 1 statement; 3 when nothing is found as it was typed.
 */
export const searchDocuments = query({
  name: "documents.search",
  summary: "Search documents",
  description:
    'All words must be there, each as the beginning of a word; case and accents do not matter. `"…"` is a phrase, `-word` excludes. When nothing is found, one slip in a word of five letters or more is forgiven. Archived documents are found with `status=archived` only, trashed ones never.',
  scope: "read",
  capability: "document.read",
  input,
  output: SearchPage,
  run: searchPage,
});

/** What the search answers, for the operations that add to it. */
export async function searchPage(context: ReadContext, request: SearchRequest): Promise<z.input<typeof SearchPage>> {
  const clauses = parseQuery(request.query);
  const asTyped = await hitsOf(context, request, clauses);
  if (asTyped.total > 0) return present(context, request, clauses, asTyped);
  const replacements = await replacementsOf(context, clauses);
  if (replacements.size === 0) return present(context, request, clauses, asTyped);
  const forgiving = await hitsOf(context, request, clauses, replacements);
  return present(context, request, clauses, forgiving, replacements);
}

async function hitsOf(
  { reader, actor }: ReadContext,
  request: SearchRequest,
  clauses: readonly Clause[],
  replacements?: Replacements,
): Promise<HitPage> {
  const conditions = conditionsOf(clauses, replacements);
  return conditions === null ? noHits : readHits(reader, actor, conditions, request);
}

/** What may be meant when nothing is found: words one slip away, and for a compound its parts wherever they stand. */
async function replacementsOf({ reader, actor }: ReadContext, clauses: readonly Clause[]): Promise<Replacements> {
  const words = clauses.flatMap((clause) => (clause.kind === "word" && clause.prefix ? [clause] : []));
  const simple = words.filter((word) => word.parts.length === 1).map((word) => word.text);
  const replacements = new Map<string, (readonly string[])[]>();
  for (const { text, parts } of words) if (parts.length > 1) replacements.set(text, [parts]);
  for (const [word, terms] of await similarTerms(reader, actor.teamId, simple)) {
    if (terms.length > 0)
      replacements.set(
        word,
        terms.map((term) => [term]),
      );
  }
  return replacements;
}

function present(
  { appUrl }: ReadContext,
  { limit, offset }: SearchRequest,
  clauses: readonly Clause[],
  { total, rows }: HitPage,
  replacements?: Replacements,
): z.input<typeof SearchPage> {
  const needles = needlesOf(clauses, replacements);
  const budget = snippetBudget();
  const data = rows.map(({ score, ...row }) => ({
    document: presentDocument(row, appUrl),
    // A document without text was found by its title: that is what can be shown of it.
    snippet: makeSnippet(row.text.trim() === "" ? row.title : row.text, needles, budget),
    score: Math.round(score * 10_000) / 10_000,
  }));
  return { total, limit, offset, data };
}
