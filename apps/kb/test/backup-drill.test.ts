import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { sealer } from "@kb/auth";
import { testSecret } from "@kb/core/testing";
import { connect, type Database, describeCluster, sql } from "@kb/db";
import { api, type One } from "@kb/http/testing";
import { type S3Server, startS3Server } from "@kb/testing/s3-server";
import JSZip from "jszip";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serviceOf } from "../src/access.ts";
import { borrowServer } from "../src/embedded.ts";
import { allRows, type Everything, fillEverything } from "./everything.ts";
import { type Home, makeHome, type Started } from "./process.ts";

const documentCount = Number(process.env.KB_DRILL_DOCUMENTS ?? 30);

type Document = { id: string; title: string; updatedAt: string };
type SyncPage = { data: { id: string }[]; nextCursor: string };

let s3: S3Server;

beforeAll(async () => {
  s3 = await startS3Server(["old", "new"]);
});
afterAll(() => s3.close());

const bucket = (name: string): Record<string, string> => ({
  S3_BUCKET: name,
  S3_ENDPOINT: s3.url,
  S3_ACCESS_KEY_ID: "key",
  S3_SECRET_ACCESS_KEY: "secret",
});

describe.each([
  { where: "in a folder", of: () => ({}) },
  { where: "in a bucket of S3", of: bucket },
])("restores a backup: attachments $where", { timeout: 180_000 }, ({ of }) => {
  let old: Home;
  let fresh: Home;
  let started: Started;
  let database: Database;
  let everything: Everything;
  let underLoad: string;
  let quiet: string;
  let cursor: string;
  let nextPage: SyncPage;

  beforeAll(async () => {
    const settings = { APP_SECRET: testSecret, RATE_LIMIT_PER_MINUTE: "1000000" };
    [old, fresh] = await Promise.all([
      makeHome({ ...settings, ...of("old") }),
      makeHome({ ...settings, ...of("new") }),
    ]);
    started = await old.start();
    database = connect({ url: urlOf(old), applicationName: "kb-test" });
    everything = await fillEverything(database, serviceOf(database, old.settings).files, documentCount);
    const client = api(old.url, everything.world.people.editor.key);
    const since = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString();
    const first = await client.get<SyncPage>(`/api/v1/documents?updatedSince=${since}&includeDeleted=true&limit=5`);
    cursor = first.body.nextCursor;
    nextPage = (await client.get<SyncPage>(sync(cursor))).body;
    [underLoad, quiet] = [join(old.folder, "load.tar.gz"), join(old.folder, "quiet.tar.gz")];
  });
  afterAll(async () => {
    await old?.remove();
    await fresh?.remove();
  });

  it("a backup under write load shows one moment: it contains every acknowledged write, and no partial one", {
    meta: { proves: ["decision.running.kb-backup"] },
  }, async () => {
    const { world } = everything;
    const client = api(old.url, world.people.editor.key);
    const acknowledged: { id: string; at: number }[] = [];
    let stop = false;
    const write = async (): Promise<void> => {
      while (!stop) {
        const input = {
          collectionId: world.collections.open,
          title: "Written meanwhile",
          text: "Text",
          tags: ["busy"],
        };
        const { status, body } = await client.post<One<Document>>("/api/v1/documents", input);
        expect(status).toBe(201);
        acknowledged.push({ id: body.data.id, at: performance.now() });
        await client.send("PATCH", `/api/v1/documents/${body.data.id}`, { json: { text: "Other text" } });
      }
    };
    const writers = [write(), write(), write()];
    await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(10);
    const begun = performance.now();
    const summary = await old.json(["backup", "--out", underLoad]);
    const before = acknowledged.length;
    await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(before);
    stop = true;
    await Promise.all(writers);
    expect(summary).toMatchObject({ attachments: 3, missing: [], foreign: [] });
    expect(statSync(underLoad).mode & 0o777).toBe(0o600);

    const third = await makeHome({ APP_SECRET: testSecret, ...of("new") });
    try {
      await third.json(["restore", underLoad]);
      const ids = await withDatabase(third, async (restored) => {
        const [clock] = await restored.acrossTeams.rows<{ gaps: number; halves: number }>(sql`SELECT
          (SELECT count(*)::int FROM team_clocks c WHERE sequence <>
            (SELECT count(*) FROM events e WHERE e."teamId" = c."teamId")) AS gaps,
          (SELECT count(*)::int FROM documents d WHERE NOT EXISTS
            (SELECT 1 FROM document_bodies b WHERE b."teamId" = d."teamId" AND b."documentId" = d.id)) AS halves`);
        expect(clock).toEqual({ gaps: 0, halves: 0 });
        const rows = await restored.acrossTeams.rows<{ id: string }>(sql`SELECT id::text AS id FROM documents`);
        return new Set(rows.map(({ id }) => id));
      });
      expect(acknowledged.filter(({ id, at }) => at < begun && !ids.has(id))).toEqual([]);
      expect(acknowledged.some(({ id }) => !ids.has(id))).toBe(true);
    } finally {
      await third.remove();
    }
  });

  it("after kill -9 and a restore on an empty machine, every row of every table and every byte of every attachment is the same", {
    meta: { proves: ["decision.running.kb-restore"] },
  }, async () => {
    await database.close();
    await started.end("SIGKILL");
    const before = await withDatabase(old, allRows);
    const backedUp = await old.json(["backup", "--out", quiet]);
    expect(await withDatabase(old, allRows)).toEqual(before);
    const restored = await fresh.json(["restore", quiet]);
    expect(restored).toMatchObject({ rows: backedUp.rows, tables: backedUp.tables, attachments: 3, secretFits: true });
    const after = await withDatabase(fresh, allRows);
    expect(Object.keys(after).length).toBeGreaterThan(30);
    expect(Object.fromEntries(Object.entries(after).map(([name, rows]) => [name, rows.length]))).toEqual(
      Object.fromEntries(Object.entries(before).map(([name, rows]) => [name, rows.length])),
    );
    expect(after).toEqual(before);
  });

  it("the canonical export of the restored installation is byte for byte that of the original", async () => {
    const { world } = everything;
    const options = ["--collection", world.collections.open, "--team", world.teamId];
    await old.json(["export", ...options, "--out", join(old.folder, "old.zip")]);
    await fresh.json(["export", ...options, "--out", join(old.folder, "new.zip")]);
    const exported = await bytesOf(join(old.folder, "old.zip"));
    const again = await bytesOf(join(old.folder, "new.zip"));
    expect(Object.keys(exported).length).toBeGreaterThan(documentCount);
    expect(again).toEqual(exported);
  });

  it("keys, sessions, channels, webhook secrets and sync cursors continue to work, and no number is reused", async () => {
    const { world, sessionCookie, channelId, channelToken, attachments } = everything;
    const editor = world.people.editor;
    const lastBefore = await withDatabase(old, (database) => lastSequence(database, world.teamId));
    started = await fresh.start();
    expect(started.greeting).not.toMatch(/kb_\w{36}/);
    const client = api(fresh.url, editor.key);
    expect((await client.get<One<{ email: string }>>("/api/v1/me")).body.data.email).toBe(editor.email);
    const me = await client.as(null).send("POST", "/api/auth.me", { headers: { Cookie: sessionCookie } });
    expect(me.status).toBe(200);
    expect((await client.as(channelToken).get(`/api/v1/published/${channelId}/documents`)).status).toBe(200);
    for (const { url, bytes } of attachments) {
      const answer = await fetch(url.replace(/^https?:\/\/[^/]+/, fresh.url));
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes), url).toBe(true);
    }
    const page = (await client.get<SyncPage>(sync(cursor))).body;
    expect(page.data).toHaveLength(5);
    expect(page.data.map(({ id }) => id)).toEqual(nextPage.data.map(({ id }) => id));
    const created = await client.post<One<Document>>("/api/v1/documents", {
      collectionId: world.collections.open,
      title: "After the restore",
    });
    expect(created.status).toBe(201);
    await withDatabase(fresh, async (restored) => {
      expect(await lastSequence(restored, world.teamId)).toBe(lastBefore + 1);
      const [hook] = await restored.acrossTeams.rows<{ secret: Uint8Array }>(
        sql`SELECT secret FROM webhook_subscriptions`,
      );
      expect(sealer(testSecret, "webhooks").open(hook?.secret ?? new Uint8Array()).byteLength).toBe(32);
    });
  });
});

const sync = (cursor: string): string => `/api/v1/documents?cursor=${cursor}&includeDeleted=true&limit=5`;

const urlOf = ({ settings }: Home): string => describeCluster(settings.dataDir)?.url ?? "";

/** The database of a home; its server is started for the moment where it does not run. */
async function withDatabase<T>(home: Home, run: (database: Database) => Promise<T>): Promise<T> {
  const server = await borrowServer(home.settings.dataDir, () => {});
  const database = connect({ url: server.url, applicationName: "kb-test" });
  try {
    return await run(database);
  } finally {
    await database.close();
    await server.release();
  }
}

async function lastSequence(database: Database, teamId: string): Promise<number> {
  const [row] = await database.rows<{ last: number }>(
    sql`SELECT max(sequence)::int AS last FROM events WHERE "teamId" = ${teamId}::uuid`,
  );
  return row?.last ?? 0;
}

/** Every file of an archive; of the manifest all but the moment of the export itself. */
async function bytesOf(path: string): Promise<Record<string, string>> {
  const zip = await JSZip.loadAsync(readFileSync(path));
  const found: Record<string, string> = {};
  for (const { name, date } of Object.values(zip.files)) {
    const bytes = await zip.file(name)?.async("nodebuffer");
    const text =
      name === "manifest.json" ? bytes?.toString().replace(/"exportedAt":"[^"]+"/, "") : bytes?.toString("base64");
    found[name] = `${name === "manifest.json" ? "" : date.toISOString()} ${text}`;
  }
  return found;
}
