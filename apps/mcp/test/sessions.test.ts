import { startStopwatch } from "@kb/testing/event-loop-time";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { oldClient } from "./clients.ts";
import { bearer, beginSession, initialize, type McpWorld, openWorld, ping, post } from "./world.ts";

let opened: McpWorld;
let url: URL;
let key: string;

beforeAll(async () => {
  opened = await openWorld();
  url = opened.instance.url;
  key = opened.world.people.admin.key;
});
afterAll(() => opened?.close());

describe("a session", () => {
  it("is of the credential that began it: another's is the same 404 as an unknown one", async () => {
    const { world } = opened;
    const session = await beginSession(url, key);
    const another = await world.key(world.people.admin, ["read", "write"]);
    const bodies = [];
    for (const stranger of [another, world.people.editor.key]) {
      const answer = await post(url, ping, { ...session, ...bearer(stranger) });
      expect(answer.status).toBe(404);
      bodies.push(await answer.text());
    }
    const unknown = await post(url, ping, { ...session, "Mcp-Session-Id": "A".repeat(32) });
    expect(unknown.status).toBe(404);
    expect(new Set([...bodies, await unknown.text()]).size).toBe(1);
    const foreignEnd = await fetch(url, { method: "DELETE", headers: { ...session, ...bearer(another) } });
    expect(foreignEnd.status).toBe(404);
    expect((await post(url, ping, session)).status).toBe(200);
  });

  it("ends with DELETE, its stream with it, and is 404 from then on", {
    meta: { proves: ["mcp.delete"] },
  }, async () => {
    const session = await beginSession(url, key);
    const stream = await fetch(url, { headers: session });
    const ended = stream.text();
    expect((await fetch(url, { method: "DELETE", headers: session })).status).toBe(200);
    await ended;
    expect((await post(url, ping, session)).status).toBe(404);
    expect((await fetch(url, { headers: session })).status).toBe(404);
    expect((await fetch(url, { method: "DELETE", headers: session })).status).toBe(404);
  });

  it("a credential has at most fifty: the least recently used one ends", async () => {
    const owner = await opened.world.key(opened.world.people.member, ["read"]);
    const first = await beginSession(url, owner);
    const second = await beginSession(url, owner);
    for (let count = 2; count < 50; count += 1) await beginSession(url, owner);
    expect((await post(url, ping, first)).status).toBe(200);
    await beginSession(url, owner);
    expect((await post(url, ping, first)).status).toBe(200);
    expect((await post(url, ping, second)).status).toBe(404);
  });

  it("begins with at most 64 kB, which are kept as long as the session", async () => {
    const begin = (characters: number): Promise<Response> => {
      const { params, ...message } = initialize();
      const clientInfo = { ...params.clientInfo, name: "x".repeat(characters) };
      return post(url, { ...message, params: { ...params, clientInfo } }, bearer(key));
    };
    expect((await begin(60_000)).status).toBe(200);
    expect((await begin(66_000)).status).toBe(413);
  });

  it("has one stream of GET: the newest wins", async () => {
    const session = await beginSession(url, key);
    const older = await fetch(url, { headers: session });
    const newer = await fetch(url, { headers: session });
    expect(await older.text()).toMatch(/^id: changes\./);
    const reader = newer.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await reader?.cancel();
  });

  it("the stream says that no proxy may hold it back, and begins at once", {
    meta: { proves: ["mcp.get"] },
  }, async () => {
    for (const [revision, first] of [
      ["2025-11-25", /^id: changes\.\S+\nretry: \d+\ndata: \n\n$/],
      ["2025-06-18", /^: open\n\n$/],
    ] as const) {
      const stream = await fetch(url, { headers: await beginSession(url, key, revision) });
      expect(stream.headers.get("Content-Type")).toBe("text/event-stream");
      expect(stream.headers.get("X-Accel-Buffering")).toBe("no");
      expect(stream.headers.get("Cache-Control")).toContain("no-transform");
      const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
      expect((await reader?.read())?.value).toMatch(first);
      await reader?.cancel();
    }
  });

  it("a Last-Event-ID that this service never wrote is 400", async () => {
    const session = await beginSession(url, key);
    for (const id of ["x", "changes.0-0", "_GET_stream.1-0", "a.b.c.d", "changes.0-0.1.2"]) {
      const answer = await fetch(url, { headers: { ...session, "Last-Event-ID": id } });
      expect({ id, status: answer.status }).toEqual({ id, status: 400 });
    }
  });

  it("continues with a client that lost the stream of a call, and sends the answer once", {
    meta: { proves: ["mcp.get"] },
  }, async () => {
    const session = await beginSession(url, key);
    const append = {
      name: "append_to_document",
      arguments: { id: opened.world.documents.guide.id, markdown: "More." },
    };
    const call = { ...ping, method: "tools/call", params: append };
    const answer = await (await post(url, call, session)).text();
    const [priming, last] = [...answer.matchAll(/^id: (\S+)$/gm)].map(([, id]) => id ?? "");
    const again = await fetch(url, { headers: { ...session, "Last-Event-ID": priming ?? "" } });
    const replayed = await again.text();
    expect(replayed.match(/"structuredContent":/g)).toHaveLength(1);
    expect(replayed).toContain(`id: ${last}`);
    const after = await fetch(url, { headers: { ...session, "Last-Event-ID": last ?? "" } });
    expect(await after.text()).not.toContain("structuredContent");
  });

  it("does not keep the answer to a read: a client that lost it has to send the request again", {
    meta: { proves: ["decision.mcp.reads-not-kept"] },
  }, async () => {
    const session = await beginSession(url, key);
    const read = { ...ping, method: "tools/call", params: { name: "list_collections", arguments: {} } };
    // A batch is answered as a stream, which a client may resume; a single read is not.
    const answer = await (await post(url, [read], session)).text();
    const [priming = ""] = [...answer.matchAll(/^id: (\S+)$/gm)].map(([, id]) => id ?? "");
    expect(answer).toContain("structuredContent");
    for (const _ of [1, 2]) {
      const resumed = await (await fetch(url, { headers: { ...session, "Last-Event-ID": priming } })).text();
      expect(resumed).toContain("Send the request again");
      expect(resumed).not.toContain("structuredContent");
    }
  });
});

describe("stopping", () => {
  it("ends open streams at once, and is done within five seconds", async () => {
    const own = await openWorld();
    const { client, close } = await oldClient(own.instance.url, own.world.people.admin.key);
    await client.listTools();
    const stream = await fetch(own.instance.url, {
      headers: await beginSession(own.instance.url, own.world.people.admin.key),
    });
    const elapsedMs = startStopwatch();
    const ended = stream.text();
    await own.close();
    await ended;
    expect(elapsedMs()).toBeLessThan(5_000);
    await close();
  });
});
