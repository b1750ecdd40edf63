import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { authenticateApiKey } from "@kb/auth";
import { admin, indexOutdatedDocuments, invoke, operations, type Service } from "@kb/core";
import { connect, migrate, startCluster } from "@kb/db";
import type { RealDocument } from "./real-documents.ts";

/** A search over the real documents. */
export type Ranking = {
  /** Returns the numbers of the first ten documents of a result. */
  search(query: string, lang?: string): Promise<number[]>;
  stop(): Promise<void>;
};

/** Starts PostgreSQL in a folder and imports the documents, unless the folder has them. */
export async function openRanking(folder: string, documents: readonly RealDocument[]): Promise<Ranking> {
  const cluster = await startCluster({ dataDir: join(folder, "data") });
  await migrate(cluster.url);
  const database = connect({ url: cluster.url });
  const service: Service = { database, clock: { now: () => new Date() }, appUrl: "http://localhost:3000" };
  const file = join(folder, "imported.json");
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(await importDocuments(service, documents)));
  const { key, ids }: Imported = JSON.parse(readFileSync(file, "utf8"));
  await indexOutdatedDocuments(service);
  const actor = await authenticateApiKey(database, key, service.clock.now());
  if (actor === null) throw new Error("the key of the benchmark is not valid");
  const numbers = new Map(ids.map((id, number) => [id, number]));
  return {
    search: async (query, lang) => {
      const page = await invoke(service, operations.searchDocuments, actor, { query, fields: "id", limit: 10, lang });
      return page.data.map(({ document }) => numbers.get(document.id) ?? -1);
    },
    stop: async () => {
      await database.close();
      await cluster.stop();
    },
  };
}

type Imported = { readonly key: string; readonly ids: readonly string[] };

async function importDocuments(service: Service, documents: readonly RealDocument[]): Promise<Imported> {
  const userEmail = "ranking@example.com";
  await admin.createTeam(service, { name: "Ranking", adminEmail: userEmail });
  const { key } = await admin.createApiKey(service, { userEmail, scopes: ["read", "write"] });
  const actor = await authenticateApiKey(service.database, key, service.clock.now());
  if (actor === null) throw new Error("the key of the benchmark is not valid");
  const { id: collectionId } = await invoke(service, operations.createCollection, actor, { name: "Corpus" });
  const ids: string[] = [];
  const queue = documents.entries();
  const importNext = async (): Promise<void> => {
    for (const [number, { title, text }] of queue) {
      const document = { title, text, collectionId, publish: true };
      ids[number] = (await invoke(service, operations.createDocument, actor, document)).id;
    }
  };
  await Promise.all(Array.from({ length: 4 }, importNext));
  return { key, ids };
}
