import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { writeResults } from "../write-results.ts";
import { type JudgedQuery, judgedQueries } from "./judged-queries.ts";
import { ndcgAt10 } from "./ndcg.ts";
import { openRanking, type Ranking } from "./open-ranking.ts";
import { type RealDocument, realDocuments } from "./real-documents.ts";
import { type RankedQuery, rankingTable } from "./report.ts";

// Measures how well a search ranks: nDCG@10 of judged queries over the real documents. `--data FOLDER` keeps the imported documents.

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    worst: { type: "string", default: "0" },
    write: { type: "boolean" },
  },
});

async function main(): Promise<void> {
  const { source, documents } = realDocuments();
  const { tuned, heldOut } = judgedQueries(documents);
  console.error(`${tuned.length} and ${heldOut.length} queries over ${documents.length} documents of ${source}`);
  const folder = values.data === undefined ? mkdtempSync(join(tmpdir(), "kb-ranking-")) : resolve(values.data);
  const ranking = await openRanking(folder, documents);
  try {
    await report(ranking, documents, tuned, "ranking");
    await report(ranking, documents, heldOut, "ranking, held out");
  } finally {
    await ranking.stop();
    if (values.data === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** Ranks queries, and prints their table and the worst of them. */
async function report(
  ranking: Ranking,
  documents: readonly RealDocument[],
  queries: readonly JudgedQuery[],
  marks: string,
): Promise<void> {
  const ranked: RankedQuery[] = [];
  for (const query of queries) ranked.push(await rank(ranking, query));
  for (const { query, plain, found } of ranked.toSorted((a, b) => a.plain - b.plain).slice(0, Number(values.worst))) {
    console.error(`${plain.toFixed(2)} ${query.kind} ${query.language}: ${query.text}`);
    for (const n of found.slice(0, 4))
      console.error(
        `     ${query.grades.get(n) ?? 0} ${documents[n]?.language}/${documents[n]?.path} ${documents[n]?.title}`,
      );
  }
  const text = rankingTable(ranked);
  console.log(`${marks}:\n\n${text}\n`);
  if (values.write === true) writeResults(marks, "pnpm --filter @kb/bench ranking --write", text);
}

async function rank(ranking: Ranking, query: JudgedQuery): Promise<RankedQuery> {
  const gradesOf = (found: readonly number[]): number[] => found.map((number) => query.grades.get(number) ?? 0);
  const all = [...query.grades.values()];
  const started = performance.now();
  const found = await ranking.search(query.text);
  const ms = performance.now() - started;
  const foundInLanguage = await ranking.search(query.text, query.language);
  return {
    query,
    found,
    ms,
    plain: ndcgAt10(gradesOf(found), all),
    inLanguage: ndcgAt10(gradesOf(foundInLanguage), all),
  };
}

await main();
