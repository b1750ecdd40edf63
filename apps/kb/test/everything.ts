import { randomBytes } from "node:crypto";
import { admin as administration, invoke, operations, type Service } from "@kb/core";
import { createWorld, realDocuments, type World } from "@kb/core/testing";
import { type Database, raw, type Sql, sql } from "@kb/db";

/** Creates one of everything through the operations; returns the credentials that exist outside the installation. */
export type Everything = {
  readonly world: World;
  readonly sessionCookie: string;
  readonly channelId: string;
  readonly channelToken: string;
  readonly attachments: readonly { readonly url: string; readonly bytes: Buffer }[];
};

/** Fills a database: real documents, revisions, trash, attachments, webhooks, channels, grants, sessions, keys. */
export async function fillEverything(database: Database, files: Service["files"], count: number): Promise<Everything> {
  const world = await createWorld(database);
  const service = { ...world.service, files };
  const { admin, editor } = world.people;
  const attachments: { url: string; bytes: Buffer }[] = [];
  for (const size of [1, 70_000, 9 * 1024 * 1024]) {
    const bytes = randomBytes(size);
    const name = `${size} bytes.bin`;
    const { url } = await invoke(service, operations.attachBytes, editor.actor, { name, bytes });
    attachments.push({ url, bytes });
  }
  const { documents } = realDocuments();
  const step = Math.max(1, Math.floor(documents.length / count));
  for (const [index, { markdown }] of documents
    .filter((_, at) => at % step === 0)
    .slice(0, count)
    .entries()) {
    const text = `${markdown}\n\n[file](${attachments[index % attachments.length]?.url})\n`;
    const input = {
      collectionId: world.collections.open,
      publish: index % 5 > 0,
      tags: ["real"],
      text,
      title: `Real ${index}`,
    };
    const { id } = await invoke(service, operations.createDocument, editor.actor, input);
    if (index % 3 === 0) {
      await invoke(service, operations.updateDocument, admin.actor, { id, text: `${text}\nAnd more.\n` });
      await invoke(service, operations.updateDocument, editor.actor, { id, title: `Real ${index}, again` });
    }
    if (index % 7 === 6) await invoke(service, operations.deleteDocument, editor.actor, { id });
  }
  // Only in the app, by a user who is logged in.
  const inApp = await administration.systemActor(service, world.teamId, admin.id);
  const hook = { url: "https://hooks.example.com/kb", events: ["document.*"] };
  await invoke(service, operations.createWebhook, inApp, hook);
  const channel = { name: "Public", collectionIds: [world.collections.open], format: { markdown: true } };
  const { id: channelId } = await invoke(service, operations.createChannel, inApp, channel);
  const { token } = await invoke(service, operations.createChannelToken, inApp, { channelId, name: "site" });
  return { world, attachments, channelId, channelToken: token, sessionCookie: (await world.session(admin)).cookie };
}

/** Every table's rows as text in one order, and as many as there are: two databases are equal when these are. */
export async function allRows(database: Database): Promise<Record<string, string[]>> {
  const tables = await database.rows<{ name: string }>(sql`SELECT relname::text AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> '_prisma_migrations' ORDER BY 1`);
  const found: Record<string, string[]> = {};
  for (const { name } of tables) {
    const statement: Sql = sql`SELECT md5(t::text) AS row FROM ${raw(`"${name}"`)} t ORDER BY 1`;
    found[name] = (await database.acrossTeams.rows<{ row: string }>(statement)).map(({ row }) => row);
  }
  return found;
}
