import { admin, invoke, operations, switchMcp } from "@kb/core";
import type { Person } from "@kb/core/testing";
import { startStopwatch } from "@kb/testing/event-loop-time";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { currentClient, type OldClient, oldClient } from "./clients.ts";
import { bearer, beginSession, letIn, type McpWorld, openWorld, post } from "./world.ts";

const listChanged = "notifications/resources/list_changed";
const updated = (id: string): string => `notifications/resources/updated kb://documents/${id}`;

let opened: McpWorld;
let url: URL;
const clients: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  opened = await openWorld();
  url = opened.instance.url;
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(() => opened?.close());

/** A client whose stream of GET is open. */
async function listener(key: string): Promise<OldClient> {
  const client = await oldClient(url, key);
  clients.push(client);
  await client.client.listTools();
  // The client opens the stream by itself after its `initialized`; it is open after the first read of the outbox.
  await new Promise((later) => setTimeout(later, 400));
  return client;
}

const change = (person: Person, id: string, text: string) =>
  invoke(opened.world.service, operations.updateDocument, person.actor, { id, text });

const create = (person: Person, collectionId: string) =>
  invoke(opened.world.service, operations.createDocument, person.actor, {
    collectionId,
    title: "New",
    text: "New.",
    publish: true,
  });

/** Waits for the last of these messages, and then for two reads of the outbox, which must bring no others. */
async function settled(heard: readonly string[], last: string): Promise<readonly string[]> {
  await expect.poll(() => heard, { timeout: 5_000 }).toContain(last);
  await new Promise((later) => setTimeout(later, 600));
  return heard;
}

describe("changes, on the stream of a session", () => {
  it("a subscriber of a document receives each change once; a new document changes the list", {
    meta: { proves: ["mcp.get"] },
  }, async () => {
    const { people, documents, collections } = opened.world;
    const { client, heard } = await listener(people.editor.key);
    await client.subscribeResource({ uri: `kb://documents/${documents.guide.id}` });
    await change(people.admin, documents.guide.id, "# Guide\n\nChanged once.\n");
    await change(people.admin, documents.child.id, "Nobody follows this one.");
    expect(await settled(heard, updated(documents.guide.id))).toEqual([updated(documents.guide.id)]);
    await create(people.admin, collections.open);
    expect(await settled(heard, listChanged)).toEqual([updated(documents.guide.id), listChanged]);
    await client.unsubscribeResource({ uri: `kb://documents/${documents.guide.id}` });
    await change(people.admin, documents.guide.id, "# Guide\n\nChanged again.\n");
    await create(people.admin, collections.open);
    await expect.poll(() => heard).toHaveLength(3);
    expect(heard[2]).toBe(listChanged);
  });

  it("a user neither receives changes of a document that they may not read, nor subscribes to it: the answer is as for an absent one", async () => {
    const { people, documents, collections } = opened.world;
    const { client, heard } = await listener(people.viewer.key);
    const hidden = client.subscribeResource({ uri: `kb://documents/${documents.secret.id}` });
    const unknown = client.subscribeResource({ uri: "kb://documents/00000000-0000-7000-8000-000000000000" });
    const [first, second] = await Promise.allSettled([hidden, unknown]);
    const told = [first, second].map((outcome) =>
      outcome.status === "rejected" ? String(outcome.reason).replaceAll(/[0-9a-f-]{36}/g, "ID") : "accepted",
    );
    expect(told[0]).toContain("not found");
    expect(told[0]).toBe(told[1]);
    await create(people.admin, collections.vault);
    await create(people.admin, collections.open);
    expect(await settled(heard, listChanged)).toEqual([listChanged]);
  });

  it("a user who loses access to a document receives no more of its changes", async () => {
    const { people, collections, setDefaultAccess } = opened.world;
    const document = await create(people.admin, collections.open);
    const { client, heard } = await listener(people.viewer.key);
    await client.subscribeResource({ uri: `kb://documents/${document.id}` });
    await change(people.admin, document.id, "While it may be read.");
    await settled(heard, updated(document.id));
    await setDefaultAccess(collections.open, "none");
    try {
      await change(people.admin, document.id, "When it may not.");
      await new Promise((later) => setTimeout(later, 1_000));
      expect(heard).toEqual([updated(document.id)]);
    } finally {
      await setDefaultAccess(collections.open, "write");
    }
  });

  it("a client that comes again with Last-Event-ID misses nothing, and receives nothing twice", async () => {
    const { people, documents } = opened.world;
    const session = await beginSession(url, people.admin.key);
    const subscribe = {
      jsonrpc: "2.0",
      id: 1,
      method: "resources/subscribe",
      params: { uri: `kb://documents/${documents.guide.id}` },
    };
    await (await post(url, subscribe, session)).text();
    let lastEventId = "";
    const heard: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const stream = await fetch(url, { headers: { ...session, "Last-Event-ID": lastEventId } });
      const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
      // The stream is lost after its first message. Two changes happen while no client listens.
      for (let taken = 0; taken < (round === 0 ? 1 : 2); taken += 1) {
        const text = (await reader?.read())?.value ?? "";
        lastEventId = [...text.matchAll(/^id: (\S+)$/gm)].at(-1)?.[1] ?? lastEventId;
        heard.push(...(text.match(/resources\/updated/g) ?? []));
      }
      await reader?.cancel();
      await change(people.admin, documents.guide.id, `# Guide\n\nRound ${round}, once.\n`);
      await change(people.admin, documents.guide.id, `# Guide\n\nRound ${round}, twice.\n`);
    }
    const rest = await fetch(url, { headers: { ...session, "Last-Event-ID": lastEventId } });
    const reader = rest.body?.pipeThrough(new TextDecoderStream()).getReader();
    while (heard.length < 8) heard.push(...(((await reader?.read())?.value ?? "").match(/resources\/updated/g) ?? []));
    const more = await Promise.race([reader?.read(), new Promise((later) => setTimeout(later, 800, "nothing"))]);
    expect(more).toBe("nothing");
    expect(heard).toHaveLength(8);
    await reader?.cancel();
  });
});

describe("changes, on subscriptions/listen", () => {
  it("the same, to those who may read, each once", async () => {
    const { people, documents, collections } = opened.world;
    const follower = await currentClient(url, people.viewer.key, { pin: "2026-07-28" });
    clients.push(follower);
    const subscription = await follower.client.listen({
      resourcesListChanged: true,
      resourceSubscriptions: [documents.guide, documents.secret].map(({ id }) => `kb://documents/${id}`),
    });
    await new Promise((later) => setTimeout(later, 400));
    await change(people.admin, documents.secret.id, "Still secret.");
    await change(people.admin, documents.guide.id, "# Guide\n\nListened to.\n");
    await create(people.admin, collections.vault);
    await create(people.admin, collections.open);
    expect(await settled(follower.heard, listChanged)).toEqual([updated(documents.guide.id), listChanged]);
    await subscription.close();
  });
});

describe("streams end within a second", () => {
  const endings: [string, (person: Person, key: string) => Promise<unknown>][] = [
    [
      "when the key is revoked",
      (person, key) =>
        opened.world.service.database.client.apiKey.updateMany({
          where: { teamId: opened.world.teamId, userId: person.id, suffix: key.slice(-4) },
          data: { revokedAt: new Date() },
        }),
    ],
    ["when the user is suspended", (person) => admin.suspendUser(opened.world.service, person.email)],
    [
      "when the team switches MCP off",
      () => switchMcp(opened.world.service.database.client, opened.world.teamId, false, new Date()),
    ],
  ];

  it.each(endings)("%s", async (name, end) => {
    const { world } = opened;
    // A suspended member has no stream in the test after.
    const person = name.includes("suspended") ? world.people.member : world.people.editor;
    const key = await world.key(person, ["read"]);
    const stream = await fetch(url, { headers: await beginSession(url, key) });
    const listening = await post(url, listen, { ...bearer(key), ...modernHeaders });
    const ended = Promise.all([stream.text(), listening.text()]);
    await new Promise((later) => setTimeout(later, 300));
    const elapsedMs = startStopwatch();
    await end(person, key);
    await ended;
    expect(elapsedMs()).toBeLessThan(1_500);
    await letIn(world, true);
  });
});

it("a stream follows at most 1,000 resources", async () => {
  const { key } = opened.world.people.admin;
  const status = async (count: number): Promise<number> => {
    const resourceSubscriptions = Array.from({ length: count }, (_, index) => `kb://documents/${index}`);
    const params = { ...listen.params, notifications: { resourceSubscriptions } };
    const answer = await post(url, { ...listen, params }, { ...bearer(key), ...modernHeaders });
    await answer.body?.cancel();
    return answer.status;
  };
  expect(await status(1_000)).toBe(200);
  expect(await status(1_001)).toBe(400);
});

const modernHeaders = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen" };

const listen = {
  jsonrpc: "2.0",
  id: "l",
  method: "subscriptions/listen",
  params: {
    notifications: { resourcesListChanged: true },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
};
