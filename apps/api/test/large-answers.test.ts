import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { newId, sql } from "@kb/db";
import { serve } from "@kb/http";
import { createLifecycle, type RunningServer } from "@kb/runtime";
import { collectGarbage } from "@kb/telemetry";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appOf, openSetting, type Setting } from "./setting.ts";

const megabyte = 1_000_000;
const documentCount = 100;
const textBytes = 1.4 * megabyte;
/** Some parts of an answer, of about a megabyte each, on their way through the driver, the checks and the socket. */
const mostHeldBytes = 40 * megabyte;

describe("100 documents of 1.4 MB", () => {
  let setting: Setting;
  let server: RunningServer;
  let collectionId: string;

  beforeAll(async () => {
    setting = await openSetting();
    const { world } = setting;
    const lifecycle = createLifecycle();
    const { fetch } = appOf(world.service, { lifecycle });
    server = await serve({ fetch, hostname: "127.0.0.1", port: 0, lifecycle, drainMs: 1_000 });
    const created = await send("POST", "/api/v1/documents", {
      collectionId: world.collections.open,
      title: "Large",
      text: "otter",
      publish: true,
    });
    const { data } = JSON.parse((await textOf(created)).toString());
    collectionId = world.collections.open;
    await lengthen(data.id);
    await copyDocument(data.id, documentCount - 1);
  }, 300_000);
  afterAll(async () => {
    await server.close();
    await setting.close();
  });

  /** Makes a document long. Its Markdown is random, so that an archive of it is long, too. */
  async function lengthen(id: string): Promise<void> {
    const { teamId, service } = setting.world;
    await service.database.execute(sql`UPDATE document_bodies SET text = text || repeat(' x', ${textBytes / 2}::int),
      markdown = (SELECT string_agg(md5(random()::text), ' ') FROM generate_series(1, ${Math.ceil(textBytes / 33)}::int))
      WHERE "teamId" = ${teamId}::uuid AND "documentId" = ${id}::uuid`);
  }

  /** Copies a document with its body. */
  async function copyDocument(id: string, count: number): Promise<void> {
    const { teamId, service } = setting.world;
    const ids = Array.from({ length: count }, () => newId());
    await service.database.execute(sql`INSERT INTO documents SELECT (jsonb_populate_record(d, jsonb_build_object(
        'id', n.id, 'updatedAt', d."updatedAt" - n.place * interval '1 ms'))).*
      FROM documents d, unnest(${ids}::uuid[]) WITH ORDINALITY AS n(id, place)
      WHERE d."teamId" = ${teamId}::uuid AND d.id = ${id}::uuid`);
    // One by one: all of them together would exceed the time limit of a statement.
    for (const copy of ids) {
      await service.database.execute(sql`INSERT INTO document_bodies
          ("teamId", "documentId", content, text, markdown, folded, vector)
        SELECT b."teamId", ${copy}::uuid, b.content, b.text, b.markdown, b.folded, b.vector FROM document_bodies b
        WHERE b."teamId" = ${teamId}::uuid AND b."documentId" = ${id}::uuid`);
    }
  }

  async function send(method: string, path: string, json?: object): Promise<IncomingMessage> {
    const headers = {
      authorization: `Bearer ${setting.world.people.editor.key}`,
      ...(json === undefined ? {} : { "content-type": "application/json" }),
    };
    const call = request(`http://127.0.0.1:${server.port}${path}`, { method, headers, agent: false });
    call.end(json === undefined ? undefined : JSON.stringify(json));
    const [response] = await once(call, "response");
    return response;
  }

  async function textOf(response: IncomingMessage): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part);
    return Buffer.concat(parts);
  }

  /** The memory of this process, which is both the service and its client, without garbage. */
  function heldBytes(): number {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  }

  /** Reads an answer and keeps nothing of it. Returns its bytes, and the most memory that was held meanwhile. */
  async function readThrough(path: string): Promise<{ bytes: number; mostHeld: number }> {
    const response = await send("GET", path);
    expect(response.statusCode).toBe(200);
    let bytes = 0;
    let measuredAt = 0;
    let mostHeld = heldBytes();
    for await (const part of response) {
      bytes += part.length;
      if (bytes - measuredAt < 10 * megabyte) continue;
      measuredAt = bytes;
      mostHeld = Math.max(mostHeld, heldBytes());
    }
    return { bytes, mostHeld };
  }

  it.each([
    ["in a list", "/api/v1/documents?limit=100"],
    ["in a search", "/api/v1/search?query=otter&limit=100"],
  ])("%s are sent in flat memory", { timeout: 300_000 }, async (_kind, path) => {
    const before = heldBytes();
    const { bytes, mostHeld } = await readThrough(`${path}&collectionId=${collectionId}`);
    expect(bytes).toBeGreaterThan(documentCount * textBytes);
    expect(mostHeld - before).toBeLessThan(mostHeldBytes);
  });

  it("that a client does not read are not read from the database", { timeout: 300_000 }, async () => {
    const before = heldBytes();
    const response = await send("GET", `/api/v1/documents?limit=100&collectionId=${collectionId}`);
    const { socket } = response;
    // The service fills the buffers of the connection, and then waits.
    let seen = -1;
    await expect
      .poll(
        async () => {
          const last = seen;
          seen = socket.bytesRead;
          return (await send("GET", "/api/v1/me").then(textOf)).length > 0 && last === seen;
        },
        { timeout: 60_000, interval: 500 },
      )
      .toBe(true);
    expect(heldBytes() - before).toBeLessThan(mostHeldBytes);
    expect(socket.bytesRead).toBeLessThan(20 * megabyte);
    response.destroy();
  });

  it("in an archive wait for their turn where two of the user's are being sent", { timeout: 300_000 }, async () => {
    const path = `/api/v1/collections.export?id=${collectionId}`;
    const [first, second] = await Promise.all([send("GET", path), send("GET", path)]);
    let isThirdBegun = false;
    const third = send("GET", path).then((response) => {
      isThirdBegun = true;
      return response;
    });
    // Other requests are answered, and a page has a turn of its own.
    for (let n = 0; n < 20; n += 1) expect((await textOf(await send("GET", "/api/v1/me"))).length).toBeGreaterThan(0);
    const page = await send("GET", `/api/v1/documents?limit=2&collectionId=${collectionId}`);
    expect((await textOf(page)).length).toBeGreaterThan(2 * textBytes);
    expect(isThirdBegun).toBe(false);
    first.destroy();
    const begun = await third;
    expect(begun.statusCode).toBe(200);
    begun.destroy();
    second.destroy();
  });
});
