import { percentile } from "../web/percentile.ts";
import { markdownTable } from "../write-results.ts";
import type { JudgedQuery } from "./judged-queries.ts";

/** A judged query with what a search found, without and with the language of the query. */
export type RankedQuery = {
  readonly query: JudgedQuery;
  readonly found: readonly number[];
  /** nDCG@10. */
  readonly plain: number;
  readonly inLanguage: number;
  readonly ms: number;
};

const columns = ["", "queries", "nDCG@10", "with `lang`", "without a hit", "first is an answer"];

/** Returns the quality of a search in all, per kind of query and per language. */
export function rankingTable(ranked: readonly RankedQuery[]): string {
  const groups = new Map<string, RankedQuery[]>([["all", [...ranked]]]);
  const add = (name: string, query: RankedQuery): void => void groups.set(name, [...(groups.get(name) ?? []), query]);
  for (const one of ranked) add(`from a ${one.query.kind}`, one);
  for (const one of ranked) add(one.query.language, one);
  const rows = [...groups].map(([name, members]) => [
    name,
    String(members.length),
    mean(members.map(({ plain }) => plain)).toFixed(3),
    mean(members.map(({ inLanguage }) => inLanguage)).toFixed(3),
    percent(members.filter(({ found }) => found.length === 0).length / members.length),
    percent(members.filter(({ query, found }) => (query.grades.get(found[0] ?? -1) ?? 0) > 1).length / members.length),
  ]);
  const times = ranked.map(({ ms }) => ms);
  const error = standardError(ranked.map(({ plain }) => plain)).toFixed(3);
  const latency = `p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms`;
  return `${markdownTable(columns, rows)}\n\nThe standard error of nDCG@10 of all is ${error}. A search took ${latency}.`;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the standard error of a mean: the chance in the choice of queries. */
function standardError(values: readonly number[]): number {
  const center = mean(values);
  const squares = values.map((value) => (value - center) ** 2);
  return Math.sqrt(mean(squares) / (values.length - 1));
}

const percent = (part: number): string => `${(part * 100).toFixed(1)} %`;
