import type { Statement } from "../record.ts";
import type { Scenario } from "../scenarios.ts";
import { type Recorded, recorded } from "./recorded.ts";

/** The data of the requests. */
export type PathSubject = {
  readonly teamId: string;
  readonly collectionId: string;
  /** A document of 5 kB. */
  readonly documentId: string;
  /** Documents of 2 kB that are changed in turn. */
  readonly changedIds: readonly string[];
};

/** A path of the API with its floor: one prepared statement, and the same bytes. */
export type HotPath = {
  readonly scenario: Scenario;
  /** The path in the router of the floor, if it has parameters. */
  readonly pattern?: string;
  readonly statement: Statement;
  readonly recorded: Recorded;
  /** The target: a share of the floor, or requests per second. */
  readonly target: { readonly ratio: number } | { readonly perSecond: number };
};

const documents = "/api/v1/documents";

/** A text of 2 kB. */
export const shortText =
  "# Notes\n\nText of the *load* with a [link](https://example.com), a list:\n\n- one\n- two\n\n".repeat(22);

/** Returns the paths in the order in which they are measured: searches first, right after the import. */
export function hotPaths(subject: PathSubject): HotPath[] {
  const { teamId, documentId } = subject;
  return [
    search("search, a common word", "component", "'component':*", 150, recorded.commonWord, teamId),
    search("search, a rare word", "prefetching", "'prefetching':*", 400, recorded.rareWord, teamId),
    search("search, `依赖`", "依赖", "'依赖'", 200, recorded.chineseWord, teamId),
    {
      scenario: { name: "GET, 5 kB", kind: "read", aim: 0, method: "GET", path: `${documents}/${documentId}` },
      statement: {
        text: `SELECT d.*, b.text FROM documents d JOIN document_bodies b ON b."teamId" = d."teamId" AND b."documentId" = d.id
          WHERE d."teamId" = $1 AND d.id = $2`,
        values: [teamId, documentId],
      },
      recorded: recorded.get,
      target: { ratio: 0.35 },
    },
    {
      scenario: { name: "list 25", kind: "read", aim: 0, method: "GET", path: documents },
      statement: {
        text: `SELECT d.*, b.text FROM (SELECT * FROM documents WHERE "teamId" = $1 AND "deletedAt" IS NULL
          AND "archivedAt" IS NULL ORDER BY "updatedAt" DESC LIMIT 25) d
          CROSS JOIN LATERAL (SELECT text FROM document_bodies WHERE "teamId" = d."teamId" AND "documentId" = d.id LIMIT 1) b`,
        values: [teamId],
      },
      recorded: recorded.list,
      target: { ratio: 0.25 },
    },
    ...writes(subject),
  ];
}

function search(
  name: string,
  word: string,
  words: string,
  perSecond: number,
  peers: Recorded,
  teamId: string,
): HotPath {
  const path = `/api/v1/search?query=${encodeURIComponent(word)}`;
  return {
    scenario: { name, kind: "read", aim: 0, method: "GET", path },
    statement: {
      text: `SELECT "documentId", text FROM document_bodies WHERE "teamId" = $1 AND vector @@ $2::tsquery
        ORDER BY ts_rank(vector, $2::tsquery) DESC LIMIT 25`,
      values: [teamId, words],
    },
    recorded: peers,
    target: { perSecond },
  };
}

function writes({ collectionId, changedIds }: PathSubject): HotPath[] {
  const document = (n: number): string => `${documents}/${changedIds[n % changedIds.length]}`;
  const write = (
    name: string,
    method: Scenario["method"],
    pathOf: (n: number) => string,
    body: (n: number) => object,
  ): Omit<HotPath, "recorded" | "target"> => {
    const json = (n: number): string => JSON.stringify(body(n));
    return {
      scenario: { name, kind: "write", aim: 0, method, path: pathOf(0), pathOf, body: json },
      statement: {
        text: "INSERT INTO floor (id, body) VALUES ($1, $2)",
        values: [collectionId, json(0)],
      },
    };
  };
  const created = (n: number) => ({ title: `Created ${n}`, collectionId, text: shortText, publish: true });
  return [
    {
      ...write("create 2 kB, one team", "POST", () => documents, created),
      recorded: recorded.create,
      target: { perSecond: 450 },
    },
    {
      ...write(
        "append, one team",
        "POST",
        (n) => `${document(n)}/edits`,
        (n) => ({ op: "append", markdown: `Line ${n}` }),
      ),
      pattern: `${documents}/:id/edits`,
      recorded: recorded.append,
      target: { perSecond: 450 },
    },
    {
      ...write("PATCH the title, one team", "PATCH", document, (n) => ({ title: `Title ${n}` })),
      pattern: `${documents}/:id`,
      recorded: recorded.patch,
      target: { perSecond: 600 },
    },
  ];
}
