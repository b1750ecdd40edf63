import { authenticateApiKey } from "@kb/auth";
import { admin, invoke, operations, type Service } from "@kb/core";
import type { Database } from "@kb/db";
import { corpus } from "./corpus.ts";
import type { Subject } from "./scenarios.ts";

/** Creates a team, fills a collection with the corpus through the service's operations, and returns a subject to query. */
export async function seed(database: Database): Promise<Subject> {
  const service: Service = { database, clock: { now: () => new Date() }, appUrl: "http://localhost:3000" };
  const adminEmail = "bench@example.com";
  await admin.createTeam(service, { name: "Bench", adminEmail, adminName: "Bench" });
  const { key } = await admin.createApiKey(service, {
    userEmail: adminEmail,
    scopes: ["read", "write"],
    name: "Bench",
  });
  const actor = await authenticateApiKey(database, key, service.clock.now());
  if (actor === null) throw new Error("the key of the benchmark is not valid");
  const collection = await invoke(service, operations.createCollection, actor, { name: "Corpus" });
  const { source, texts } = corpus();
  console.error(`filling the database with ${texts.length} documents of ${source} …`);
  const put = (text: string, n: number) =>
    invoke(service, operations.createDocument, actor, {
      title: /^title: *['"]?(.*?)['"]? *$/m.exec(text)?.[1]?.slice(0, 200) || `Document ${n}`,
      collectionId: collection.id,
      text,
      publish: true,
    });
  const queue = texts.entries();
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (const [n, text] of queue) await put(text, n);
    }),
  );
  const body = medianText(texts);
  const document = await put(body, texts.length);
  return { key, collectionId: collection.id, documentId: document.id, body };
}

/** Returns the text of median length. */
function medianText(texts: readonly string[]): string {
  const sorted = [...texts].sort((a, b) => a.length - b.length);
  return sorted[Math.floor(sorted.length / 2)] ?? "";
}
