import { call, type ProtocolRevision } from "../assistant-scenarios.ts";
import type { Scenario } from "../scenarios.ts";
import { type Subjects, titleMade } from "./subjects.ts";

/** One kind of request of the load, with its app and its credential. */
export type LoadOperation = {
  readonly scenario: Scenario;
  readonly app: "api" | "mcp";
  readonly key: (subjects: Subjects) => string;
  /** The maximum number of requests per second in the measurement of latency. */
  readonly rate: number;
};

type Options = { readonly rate?: number; readonly key?: LoadOperation["key"] };

const documents = "/api/v1/documents";
const json = (value: object): string => JSON.stringify(value);
const text = "# Notes\n\nText of the *load* with a [link](https://example.com), a list:\n\n- one\n- two\n\n".repeat(12);

/** Returns the main operations. `writable` are documents that the load created. */
export function operationsOf(subjects: Subjects, writable: readonly string[]): LoadOperation[] {
  const { collectionId, documentIds, tags, rareWord, typo, channel, startedAt } = subjects;
  const any = (n: number): string => documentIds[n % documentIds.length] ?? "";
  const own = (n: number): string => writable[n % writable.length] ?? "";
  // The middle of the changes.
  const middle = new Date(startedAt.getTime() - 180 * 24 * 3_600_000).toISOString();
  const search = (query: string): string => `/api/v1/search?query=${encodeURIComponent(query)}`;
  return [
    read("get", documents, { pathOf: (n) => `${documents}/${any(n)}?format=markdown` }),
    read("list", documents),
    read("list of a collection, by title", `${documents}?collectionId=${collectionId}&sort=title`),
    read("list, restricted key", documents, {}, { key: ({ keys }) => keys.restricted }),
    read("sync page of 100", `${documents}?updatedSince=${middle}&limit=100`),
    read("tag filter, 50 documents", `${documents}?tag=${tags.rare}`),
    read("tag filter, a tenth of all", `${documents}?tag=${tags.common}`, {}, { rate: 10 }),
    read("search, a word of 20 documents", search(rareWord)),
    read("search, a rare word", search("prefetching"), {}, { rate: 10 }),
    read("search, a common word", search("component"), {}, { rate: 5 }),
    read("search, a phrase", search('"content collections"'), {}, { rate: 5 }),
    read("search, Japanese", search("コンポーネント"), {}, { rate: 5 }),
    read("search, with a typo", search(typo), {}, { rate: 5 }),
    read("published list", `/api/v1/published/${channel.id}/documents`, {}, { key: () => channel.token }),
    write(
      "create",
      "POST",
      () => documents,
      (n) => ({ collectionId, title: titleMade(n), text, publish: true }),
    ),
    write(
      "PATCH the body",
      "PATCH",
      (n) => `${documents}/${own(n)}`,
      (n) => ({ text: `${text}\nChange ${n}\n` }),
    ),
    write(
      "append",
      "POST",
      (n) => `${documents}/${own(n)}/edits`,
      (n) => ({ op: "append", markdown: `Line ${n}` }),
    ),
    tool("search", () => ({ query: rareWord })),
    tool("get_document", (n) => ({ id: any(n) })),
    tool("append_to_document", (n) => ({ id: own(n), markdown: `Line ${n}` })),
  ];
}

function read(name: string, path: string, more: Partial<Scenario> = {}, options: Options = {}): LoadOperation {
  return loadOperation({ name, kind: "read", aim: 0, method: "GET", path, ...more }, "api", options);
}

function write(
  name: string,
  method: "POST" | "PATCH",
  pathOf: (n: number) => string,
  body: (n: number) => object,
): LoadOperation {
  const written = (n: number): string => json(body(n));
  return loadOperation({ name, kind: "write", aim: 0, method, path: pathOf(0), pathOf, body: written }, "api", {});
}

const revision: ProtocolRevision = { name: "MCP", aim: 0 };

function tool(name: string, input: (n: number) => object): LoadOperation {
  return loadOperation({ ...call(revision, name, input), name: `MCP ${name}` }, "mcp", {});
}

function loadOperation(
  scenario: Scenario,
  app: LoadOperation["app"],
  { rate = 20, key = ({ keys }) => keys.plain }: Options,
): LoadOperation {
  return { scenario, app, key, rate };
}
