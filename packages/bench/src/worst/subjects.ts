import { type Actor, authenticateApiKey, createSession, csrfTokenOf } from "@kb/auth";
import { admin, invoke, operations, type Service, ServiceError } from "@kb/core";
import { connect, type Database, newId, sql } from "@kb/db";
import { chainedFootnotes, prose, rewrittenLines } from "./markdown.ts";
import { fillVocabulary } from "./vocabulary.ts";
import { longestMarkdown, type Subjects } from "./worst-input.ts";

/** The sizes of the data. */
export type Sizes = { readonly largeDocuments: number; readonly treeDocuments: number; readonly terms: number };

/** The headers of each kind of credential. */
export type Credentials = {
  readonly key: Readonly<Record<string, string>>;
  readonly session: Readonly<Record<string, string>>;
  readonly channel: Readonly<Record<string, string>>;
  /** The key of another user, who only reads. */
  readonly reader: Readonly<Record<string, string>>;
};

const none = "00000000-0000-7000-8000-000000000000";

/** Subjects that do not exist, for tests that send nothing. */
export const sampleSubjects: Subjects = {
  collectionId: none,
  largeCollectionId: none,
  largeDocumentId: none,
  treeCollectionId: none,
  treeRootId: none,
  chainCollectionId: none,
  treeTagId: none,
  rewrittenId: none,
  footnotesId: none,
  overlappingId: none,
  headingsId: none,
  rulesId: none,
  channelId: none,
  webhookId: none,
  groupId: none,
  userId: none,
  apiKeyId: none,
};

const readerEmail = "reader@example.com";
const editorEmail = "editor@example.com";

/** Fills the database of a service that has just started for the first time. `email` is that of its admin. */
export async function fillSubjects(
  databaseUrl: string,
  origin: string,
  email: string,
  sizes: Sizes,
): Promise<{ subjects: Subjects; credentials: Credentials; smallDocumentId: string }> {
  const database = connect({ url: databaseUrl });
  try {
    const service: Service = { database, clock: { now: () => new Date() }, appUrl: origin };
    const made = await admin.createApiKey(service, { userEmail: email, scopes: ["read", "write", "admin"] });
    const actor = await actorOf(service, made.key);
    await admin.createUser(service, { email: readerEmail, name: "Reader", group: "Viewers" });
    const reader = await admin.createApiKey(service, { userEmail: readerEmail, scopes: ["read"] });
    const { id: userId } = await admin.findUser(service, readerEmail);
    const places = await fillPlaces(service, actor, sizes);
    await admin.createUser(service, { email: editorEmail, name: "Editor", group: "Editors" });
    const editor = await admin.createApiKey(service, { userEmail: editorEmail, scopes: ["read", "write"] });
    const editorActor = await actorOf(service, editor.key);
    const documents = await fillDocuments(service, actor, editorActor, places.collectionId);
    const { token, ...ids } = await fillTeam(service, actor, places.largeCollectionId);
    const session = await createSession(database, { teamId: actor.teamId, userId: actor.userId }, new Date());
    await fillVocabulary(database, actor.teamId, sizes.terms);
    const { smallDocumentId, ...others } = documents;
    return {
      subjects: { ...places, ...others, ...ids, userId, apiKeyId: made.id },
      smallDocumentId,
      credentials: {
        key: { authorization: `Bearer ${made.key}` },
        reader: { authorization: `Bearer ${reader.key}` },
        channel: { authorization: `Bearer ${token}` },
        session: { cookie: `kb_session=${session.token}`, "x-csrf-token": csrfTokenOf(session.token), origin },
      },
    };
  } finally {
    await database.close();
  }
}

async function actorOf(service: Service, key: string): Promise<Actor> {
  const actor = await authenticateApiKey(service.database, key, service.clock.now());
  if (actor === null) throw new Error("the key of the run is not valid");
  return actor;
}

async function createDocument(service: Service, actor: Actor, input: object): Promise<string> {
  return (await invoke(service, operations.createDocument, actor, { publish: true, ...input })).id;
}

async function fillPlaces(service: Service, actor: Actor, sizes: Sizes) {
  const collection = async (name: string): Promise<string> =>
    (await invoke(service, operations.createCollection, actor, { name })).id;
  const collectionId = await collection("Worst");
  const largeCollectionId = await collection("Large");
  const treeCollectionId = await collection("Tree");
  const text = prose(longestMarkdown);
  const largeDocumentId = await createDocument(service, actor, {
    collectionId: largeCollectionId,
    title: "Large",
    text,
  });
  const tree = { collectionId: treeCollectionId, text: "# One of thousands\n\nA document.", tags: ["tree"] };
  const treeRootId = await createDocument(service, actor, tree);
  const { database } = service;
  await copyDocument(database, largeDocumentId, sizes.largeDocuments - 1, null);
  await copyDocument(database, treeRootId, sizes.treeDocuments - 1, treeRootId);
  const chainCollectionId = await collection("Chain");
  const chainId = await createDocument(service, actor, { collectionId: chainCollectionId, text: "A document." });
  await copyDocument(database, chainId, sizes.treeDocuments - 1, null);
  await chainDocuments(database, chainCollectionId);
  const tags = await invoke(service, operations.listTags, actor, {});
  const treeTagId = tags.find((tag) => tag.name === "tree")?.id ?? none;
  return {
    collectionId,
    largeCollectionId,
    largeDocumentId,
    treeCollectionId,
    treeRootId,
    treeTagId,
    chainCollectionId,
  };
}

/** Copies a document with its body and tags. The times of the copies differ, as those that the team clock gives do. */
async function copyDocument(database: Database, id: string, count: number, parentId: string | null): Promise<void> {
  const ids = Array.from({ length: count }, () => newId());
  const across = database.acrossTeams;
  await across.execute(sql`INSERT INTO documents SELECT (jsonb_populate_record(d, jsonb_build_object('id', n.id,
      'parentDocumentId', ${parentId}::uuid, 'updatedAt', d."updatedAt" - n.place * interval '1 ms'))).*
    FROM documents d, unnest(${ids}::uuid[]) WITH ORDINALITY AS n(id, place) WHERE d.id = ${id}::uuid`);
  await across.execute(sql`INSERT INTO document_bodies ("teamId", "documentId", content, text, markdown, folded, vector)
    SELECT b."teamId", n.id, b.content, b.text, b.markdown, b.folded, b.vector
    FROM document_bodies b, unnest(${ids}::uuid[]) AS n(id) WHERE b."documentId" = ${id}::uuid`);
  await across.execute(sql`INSERT INTO document_tags ("teamId", "documentId", "tagId")
    SELECT t."teamId", n.id, t."tagId" FROM document_tags t, unnest(${ids}::uuid[]) AS n(id) WHERE t."documentId" = ${id}::uuid`);
}

/** Moves each document of a collection below the one before. */
async function chainDocuments(database: Database, collectionId: string): Promise<void> {
  await database.acrossTeams.execute(sql`UPDATE documents d SET "parentDocumentId" = placed.parent
    FROM (SELECT id, lag(id) OVER (ORDER BY id) AS parent FROM documents WHERE "collectionId" = ${collectionId}::uuid) placed
    WHERE d.id = placed.id`);
}

async function fillDocuments(service: Service, actor: Actor, editor: Actor, collectionId: string) {
  const create = (title: string, text: string): Promise<string> =>
    createDocument(service, actor, { collectionId, title, text });
  const rewrittenId = await create("Rewritten", `# Rewritten\n\n${rewrittenLines(400_000, "first")}`);
  // By another user: writes of one user are one run, whose first state is not stored and has no diff.
  await invoke(service, operations.updateDocument, editor, {
    id: rewrittenId,
    text: `# Rewritten\n\n${rewrittenLines(400_000, "second")}`,
  });
  await requireDiff(service, actor, rewrittenId);
  const headings = Array.from({ length: 20_000 }, (_, n) => `# heading ${n}`).join("\n\n");
  return {
    rewrittenId,
    footnotesId: await create("Footnotes", chainedFootnotes(15_000)),
    overlappingId: await create("Overlapping", "a".repeat(200_000)),
    headingsId: await create("Headings", headings),
    rulesId: await create("Rules", "---\n\n".repeat(190_000)),
    smallDocumentId: await create("Small", prose(4_000)),
  };
}

/** @throws {Error} if a stale change of a document gets no difference to its first revision */
async function requireDiff(service: Service, actor: Actor, id: string): Promise<void> {
  const stale = invoke(service, operations.updateDocument, actor, { id, title: "Stale", expectedRevision: 1 });
  const error = await stale.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const detail = error instanceof ServiceError ? error.details?.[0] : undefined;
  if (detail?.diff === undefined) throw new Error("a conflict of the rewritten document has no diff", { cause: error });
}

async function fillTeam(service: Service, actor: Actor, largeCollectionId: string) {
  const { database } = service;
  const channel = await admin.createChannel(service, {
    name: "Large",
    collections: [largeCollectionId],
    tags: [],
    markdown: true,
    html: true,
  });
  const { teamId, userId: createdById } = actor;
  const webhookId = newId();
  const webhook = {
    id: webhookId,
    url: "https://hooks.example.com/",
    events: ["webhook.test"],
    secret: new Uint8Array(0),
    enabled: false,
  };
  await database.client.webhookSubscription.create({ data: { teamId, createdById, ...webhook } });
  const groupId = newId();
  await database.client.group.create({ data: { teamId, id: groupId, name: "Worst", capabilities: ["document.read"] } });
  return { channelId: channel.id, token: channel.token, webhookId, groupId };
}
