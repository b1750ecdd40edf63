import { authenticateApiKey } from "@kb/auth";
import { type Actor, admin, invoke, operations, type Service } from "@kb/core";
import { type Database, sql } from "@kb/db";
import { realDocuments } from "../ranking/real-documents.ts";
import type { StoredDocument, TaskWorld } from "./task.ts";

const collectionName = "Team handbook";
/** The name of a second collection, to which documents are moved. */
const archiveName = "Archive of the team";

/** Creates a team with the English real documents. Returns its world, and the key of an assistant of its admin. */
export async function openTaskWorld(database: Database): Promise<{ readonly world: TaskWorld; readonly key: string }> {
  const service: Service = { database, clock: { now: () => new Date() }, appUrl: "http://localhost:3000" };
  const userEmail = "tasks@example.com";
  await admin.createTeam(service, { name: "Tasks", adminEmail: userEmail });
  await database.beforeTeam.execute(sql`UPDATE teams SET "mcpEnabled" = true`);
  const { key } = await admin.createApiKey(service, { userEmail, scopes: ["read", "write"] });
  const actor = await newActor(service, userEmail);
  // Another credential: its changes are revisions of their own.
  const other = await newActor(service, userEmail);
  const { id: collectionId } = await invoke(service, operations.createCollection, actor, { name: collectionName });
  await invoke(service, operations.createCollection, actor, { name: archiveName });
  const make: TaskWorld["make"] = async ({ markdown, ...input }) => {
    const document = { ...input, collectionId, text: markdown, publish: true };
    return (await invoke(service, operations.createDocument, actor, document)).id;
  };
  const documents = realDocuments().documents.filter(({ language }) => language === "en");
  const longest = documents.reduce((one, other) => (other.text.length > one.text.length ? other : one));
  const ids = new Map<string, string>();
  for (const { path, title, text } of documents) ids.set(path, await make({ title, markdown: text }));
  const unique = longest.headings.filter((heading, at, all) => /^[\w ]+$/.test(heading) && all.indexOf(heading) === at);
  const world: TaskWorld = {
    collectionName,
    collectionId,
    long: {
      id: ids.get(longest.path) ?? "",
      title: longest.title,
      heading: unique[Math.floor(unique.length / 2)] ?? "",
    },
    make,
    change: async (id, text) => void (await invoke(service, operations.updateDocument, other, { id, text })),
    trash: async (id) => void (await invoke(service, operations.deleteDocument, actor, { id })),
    read: (id) => readStored(database, id),
  };
  return { world, key };
}

async function newActor(service: Service, userEmail: string): Promise<Actor> {
  const { key } = await admin.createApiKey(service, { userEmail, scopes: ["read", "write"] });
  const actor = await authenticateApiKey(service.database, key, service.clock.now());
  if (actor === null) throw new Error("the key of the benchmark is not valid");
  return actor;
}

async function readStored(database: Database, id: string): Promise<StoredDocument> {
  const [row] =
    await database.acrossTeams.rows<StoredDocument>(sql`SELECT d.title, d."parentDocumentId", d."collectionId",
      d."deletedAt" IS NOT NULL AS deleted, b.markdown, ARRAY(SELECT t.name FROM document_tags dt
        JOIN tags t ON t."teamId" = dt."teamId" AND t.id = dt."tagId"
        WHERE dt."teamId" = d."teamId" AND dt."documentId" = d.id) AS tags
    FROM documents d JOIN document_bodies b ON b."teamId" = d."teamId" AND b."documentId" = d.id WHERE d.id = ${id}::uuid`);
  if (row === undefined) throw new Error(`no document ${id}`);
  return row;
}
