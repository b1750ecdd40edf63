import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { invoke, operations } from "@kb/core";
import { createWorld, type World } from "@kb/core/testing";
import { raw, sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { startStopwatch } from "@kb/testing/event-loop-time";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bundle, bundle } from "./bundle.ts";

/** Documents of the large export; the small one has a tenth. `KB_EXPORT_LOAD=10000` is what the service is held to. */
const large = Number(process.env.KB_EXPORT_LOAD ?? 1_000);
const small = large / 10;
const documentBytes = 20_000;

type Report = { longestTurnMs: number; peakBytes: number };

/** The figures of one export, as its client measures them. */
type Measured = { firstByteMs: number; seconds: number; bytes: number };

describe("an export under load", { timeout: 60_000 + 30 * large }, () => {
  let test: TestDatabase;
  let world: World;
  let server: ChildProcess;
  let program: Bundle;
  let port: number;
  const collections = new Map<number, string>();

  beforeAll(
    async () => {
      test = await testDatabase();
      world = await createWorld(test.database);
      for (const size of [small, large]) collections.set(size, await collectionOf(size));
      // Bundled, as it is deployed: an export does not need the memory that Node uses for TypeScript.
      program = await bundle("test/export-server.ts");
    },
    60_000 + 10 * large,
  );

  async function startServer(): Promise<void> {
    server = fork(program.program, [test.url], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    const [{ port: given }] = await once(server, "message");
    port = given;
  }

  async function stopServer(): Promise<void> {
    if (!server?.connected) return;
    server.send("stop");
    await once(server, "exit");
  }

  afterAll(async () => {
    await stopServer();
    await program?.remove();
    await test?.drop();
  });

  /** Creates a collection of `count` documents: one through the operation, the others as copies of its rows. */
  async function collectionOf(size: number): Promise<string> {
    const { actor } = world.people.admin;
    const { id } = await invoke(world.service, operations.createCollection, actor, { name: `${size} documents` });
    const words = Array.from({ length: 2_000 }, (_, index) => `word${(index * 7919) % 104_729}`);
    let text = "";
    for (let index = 0; text.length < documentBytes; index += 1) {
      text += `${words.slice(index * 40, index * 40 + 40).join(" ")}\n\n## Part ${index}\n\n`;
    }
    const document = await invoke(world.service, operations.createDocument, actor, {
      collectionId: id,
      title: "Document",
      text,
      publish: true,
      tags: ["load"],
    });
    const columns = await columnsOf("documents", ["id", "title"]);
    const bodyColumns = await columnsOf("document_bodies", ["documentId"]);
    for (let from = 2; from <= size; from += 500) {
      const to = Math.min(size, from + 499);
      await test.database.acrossTeams.execute(sql`
        WITH copies AS (SELECT gen_random_uuid() AS id, n FROM generate_series(${from}::int, ${to}::int) AS n),
        rows AS (INSERT INTO documents (id, title, ${columns})
          SELECT copies.id, 'Document ' || copies.n, ${columns} FROM copies, documents d WHERE d.id = ${document.id}::uuid)
        INSERT INTO document_bodies ("documentId", ${bodyColumns})
          SELECT copies.id, ${bodyColumns} FROM copies, document_bodies d WHERE d."documentId" = ${document.id}::uuid`);
    }
    return id;
  }

  async function columnsOf(table: string, without: readonly string[]) {
    const rows = await test.database.acrossTeams.rows<{ name: string }>(sql`
      SELECT column_name AS name FROM information_schema.columns WHERE table_name = ${table}
        AND NOT (column_name = ANY(${without}::text[]))`);
    return raw(rows.map(({ name }) => `"${name}"`).join(", "));
  }

  const open = (size: number, format: string) =>
    get({
      host: "127.0.0.1",
      port,
      path: `/api/v1/collections.export?id=${collections.get(size)}&format=${format}`,
      headers: { Authorization: `Bearer ${world.people.admin.key}` },
    });

  async function exportOf(size: number, format: string): Promise<Measured> {
    const startedAt = performance.now();
    const elapsedMs = startStopwatch();
    const request = open(size, format);
    const [response] = await once(request, "response");
    expect(response.statusCode).toBe(200);
    let bytes = 0;
    let firstByteMs = 0;
    for await (const chunk of response) {
      if (bytes === 0) firstByteMs = elapsedMs();
      bytes += chunk.length;
    }
    return { firstByteMs, bytes, seconds: (performance.now() - startedAt) / 1000 };
  }

  async function report(): Promise<Report> {
    server.send("report");
    const [answer] = await once(server, "message");
    return answer;
  }

  const printResult = (
    size: number,
    format: string,
    { firstByteMs, seconds, bytes }: Measured,
    { longestTurnMs, peakBytes }: Report,
  ) => {
    const megabytes = (size * documentBytes) / 1024 ** 2;
    console.log(
      `export of ${size} documents (${format}): ${(megabytes / seconds).toFixed(1)} MB/s of text, archive ` +
        `${(bytes / 1024 ** 2).toFixed(1)} MB, first byte ${firstByteMs.toFixed(0)} ms, longest turn ${longestTurnMs.toFixed(0)} ms, ` +
        `peak memory ${(peakBytes / 1024 ** 2).toFixed(0)} MB`,
    );
  };

  it("is streamed: memory stays flat, the first byte is sent at once, and other requests are served", {
    meta: { proves: ["decision.export.streamed"] },
  }, async () => {
    for (const format of ["zip", "html"]) {
      await stopServer();
      await startServer();
      // Warm before it is measured.
      await exportOf(small, format);
      const peaks: number[] = [];
      for (const size of [small, large]) {
        server.send("reset");
        const measured = await exportOf(size, format);
        const reported = await report();
        printResult(size, format, measured, reported);
        expect(measured.firstByteMs).toBeLessThan(1_000);
        expect(reported.longestTurnMs).toBeLessThan(200);
        peaks.push(reported.peakBytes);
      }
      const [before = 0, after = 0] = peaks;
      // Ten times the documents are ten times the names, and none of the bodies; the rest is what V8 leaves uncollected.
      expect(after - before).toBeLessThan(150 * 1024 ** 2);
      expect(after).toBeLessThan(400 * 1024 ** 2);
    }
  });

  it("stops at once, without another statement, if the client disconnects", async () => {
    const request = open(large, "zip");
    const [response] = await once(request, "response");
    await once(response, "data");
    request.destroy();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const latest = async (): Promise<string> => {
      const [row] = await test.database.acrossTeams.rows<{ latest: string }>(sql`
        SELECT max(query_start)::text || ' ' || count(*) FILTER (WHERE state = 'active') AS latest FROM pg_stat_activity
        WHERE application_name = 'kb-export-server'`);
      return row?.latest ?? "";
    };
    const before = await latest();
    expect(before).toMatch(/ 0$/);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await latest()).toBe(before);
  });
});
