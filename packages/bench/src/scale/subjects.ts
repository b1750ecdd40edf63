import { admin, type Service } from "@kb/core";
import type { PlanSubjects } from "@kb/core/testing";
import { connect } from "@kb/db";
import pg from "pg";
import { emails, teamName } from "../data/make.ts";
import { sharedWord } from "../data/team-sql.ts";

/** The data and the credentials of requests to a data set. */
export type Subjects = PlanSubjects & {
  readonly keys: { readonly plain: string; readonly restricted: string };
  readonly channel: { readonly id: string; readonly token: string };
};

const entries = 200;
const channelTag = "area-1";
const rareTag = "topic-15";

/** Selects the data of the requests, and creates keys and a channel. */
export async function prepareSubjects(url: string, count: number): Promise<Subjects> {
  const database = connect({ url });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await removeTraces(client);
    const service: Service = { database, clock: { now: () => new Date() }, appUrl: "http://localhost:3000" };
    const rows = await spread(client, count);
    const [first] = rows;
    if (first === undefined) throw new Error("there are no documents");
    const key = { userEmail: emails.editor, scopes: ["read", "write"], name: "Load" };
    const plain = await admin.createApiKey(service, key);
    const restrictions = {
      collections: { [first.collectionId]: "read" },
      documents: Object.fromEntries(rows.slice(0, entries).map(({ id }) => [id, "read"])),
    };
    const restricted = await admin.createApiKey(service, { ...key, scopes: ["read"], restrictions });
    const channel = await admin.createChannel(service, {
      name: "Load",
      collections: [],
      tags: [channelTag],
      team: teamName,
    });
    const rareWord = await wordOf(client, sharedWord("40"));
    return {
      count,
      keys: { plain: plain.key, restricted: restricted.key },
      channel,
      collectionId: first.collectionId,
      documentIds: rows.map(({ id }) => id),
      publishedId: await taggedAmong(client, rows, channelTag),
      tags: { common: "area-2", rare: rareTag, rareId: await tagIdOf(client, rareTag) },
      rareWord,
      typo: `${rareWord.slice(0, 3)}x${rareWord.slice(4)}`,
      startedAt: new Date(),
    };
  } finally {
    await client.end();
    await database.close();
  }
}

async function spread(client: pg.Client, count: number): Promise<{ id: string; collectionId: string }[]> {
  const { rows } = await client.query<{ id: string; collectionId: string }>(
    `SELECT d.id, d."collectionId" FROM documents d JOIN collections c ON c."teamId" = d."teamId" AND c.id = d."collectionId"
      WHERE d."teamId" = (SELECT id FROM teams WHERE name = $1) AND c."defaultAccess" = 'write' AND d."publishedAt" IS NOT NULL
        AND d."deletedAt" IS NULL AND d."archivedAt" IS NULL AND hashtext(d.id::text) % $2 = 0 ORDER BY md5(d.id::text) LIMIT 500`,
    [teamName, Math.max(1, Math.floor(count / 1_000))],
  );
  return rows;
}

async function taggedAmong(client: pg.Client, documents: readonly { id: string }[], tag: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT dt."documentId" AS id FROM document_tags dt JOIN tags t ON t."teamId" = dt."teamId" AND t.id = dt."tagId"
      WHERE t.name = $1 AND dt."documentId" = ANY($2::uuid[]) LIMIT 1`,
    [tag, documents.map(({ id }) => id)],
  );
  return rows[0]?.id ?? "";
}

async function tagIdOf(client: pg.Client, name: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM tags WHERE "teamId" = (SELECT id FROM teams WHERE name = $1) AND name = $2`,
    [teamName, name],
  );
  return rows[0]?.id ?? "";
}

async function wordOf(client: pg.Client, expression: string): Promise<string> {
  const { rows } = await client.query<{ word: string }>(`SELECT ${expression} AS word`);
  return rows[0]?.word ?? "";
}

const made = "Made by the load";
/** Returns the title of a document that a load creates, by which `cleanUp` finds and deletes it. */
export const titleMade = (n: number): string => `${made} ${n}`;

/** Deletes everything that loads have created in the data set. */
export async function cleanUp(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await removeTraces(client);
  } finally {
    await client.end();
  }
}

async function removeTraces(client: pg.Client): Promise<void> {
  const team = `(SELECT id FROM teams WHERE name = '${teamName}')`;
  const { rowCount } = await client.query(
    `DELETE FROM documents WHERE "teamId" = ${team} AND "titleKey" >= lower($1) AND "titleKey" < lower($1) || 'z'`,
    [made],
  );
  await client.query(`DELETE FROM api_keys WHERE "teamId" = ${team} AND name = 'Load'`);
  await client.query(`DELETE FROM channels WHERE "teamId" = ${team} AND name = 'Load'`);
  if ((rowCount ?? 0) > 0) await client.query("VACUUM ANALYZE documents, document_bodies");
}
