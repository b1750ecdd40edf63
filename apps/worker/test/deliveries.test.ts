import { sealer } from "@kb/auth";
import { invoke, operations } from "@kb/core";
import { inApp } from "@kb/core/testing";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openReceiver, type Received, type Receiver } from "./receiver.ts";
import { openSetting, type Setting } from "./setting.ts";

let setting: Setting;
beforeAll(async () => {
  setting = await openSetting();
  setting.work();
});
afterAll(() => setting.close());

const receivers: Receiver[] = [];
afterEach(async () => {
  const { service, people } = setting.world;
  const boss = inApp(people.admin);
  for (const { id } of await invoke(service, operations.listWebhooks, boss, {})) {
    await invoke(service, operations.deleteWebhook, boss, { id });
  }
  for (const receiver of receivers.splice(0)) await receiver.close();
});

async function receiver(answer?: Receiver["answer"]): Promise<Receiver> {
  const opened = await openReceiver(answer);
  receivers.push(opened);
  return opened;
}

type Payload = { id: string; type: string; sequence: number; data: Record<string, unknown>; [key: string]: unknown };
const payloadOf = (received: Received): Payload => JSON.parse(received.body);
const typesAt = (at: Receiver): string[] => at.received.map((received) => payloadOf(received).type);
const headersOf = ({ headers }: Received): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

async function write(title: string, more: object = {}): Promise<string> {
  const { service, people, collections } = setting.world;
  const given = { title, collectionId: collections.open, publish: true, ...more };
  return (await invoke(service, operations.createDocument, people.admin.actor, given)).id;
}

describe("a delivery", () => {
  it("contains only id, type, timestamp, team, sequence, actor and data", {
    meta: { proves: ["decision.events.payload"] },
  }, async () => {
    const at = await receiver();
    const { world } = setting;
    await setting.subscribe(world.people.admin, { url: at.url, events: ["document.created"] });
    const id = await write("Delivered");
    await setting.settled();
    expect(at.received).toHaveLength(1);
    const [received] = at.received;
    expect(received && payloadOf(received)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: "document.created",
      timestamp: setting.clock.now().toISOString().slice(0, 10) && expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      teamId: world.teamId,
      sequence: expect.any(Number),
      actor: { type: "api_key", id: expect.any(String), name: "Everyday" },
      data: {
        id,
        title: "Delivered",
        collectionId: world.collections.open,
        revision: 1,
        changed: [],
        url: `http://localhost:3000/documents/${id}`,
      },
    });
  });

  it("of a webhook whose secret was sealed under another APP_SECRET reports this, and delays no other", async () => {
    const at = await receiver();
    const { world } = setting;
    const { people, service, teamId } = world;
    const lost = await setting.subscribe(people.admin, { url: `${at.url}/lost`, events: ["document.created"] });
    const rotated = await setting.subscribe(people.admin, { url: `${at.url}/rotated`, events: ["document.created"] });
    const where = { teamId, id: { in: [lost.id, rotated.id] } };
    const secret = sealer("another secret of 32 characters or more", "webhooks").seal(new Uint8Array(32));
    await service.database.client.webhookSubscription.updateMany({ where, data: { secret } });
    await invoke(service, operations.rotateWebhookSecret, inApp(people.admin), { id: rotated.id });
    await write("Delivered all the same");
    await setting.settled();
    expect(at.received.map(({ path }) => path)).toEqual(["/rotated"]);
    const log = await invoke(service, operations.listDeliveries, inApp(people.admin), { id: lost.id });
    expect(log.data).toMatchObject([
      { status: "pending", responseStatus: null, responseBody: expect.stringContaining("APP_SECRET") },
    ]);
  });

  it("is signed by Standard Webhooks, and any changed byte invalidates it", {
    meta: { proves: ["decision.webhooks.signature"] },
  }, async () => {
    const at = await receiver();
    const { secret } = await setting.subscribe(setting.world.people.admin, { url: at.url });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await write("Signed");
    await setting.settled();
    const verifier = new Webhook(secret);
    for (const received of at.received) {
      // The library uses the system clock, while the setting's clock stands still.
      expect(verifier.verify(received.body, headersOf(received))).toEqual(payloadOf(received));
      expect(headersOf(received)["webhook-id"]).toBe(payloadOf(received).id);
      const flipped = received.body.replace("Signed", "Singed");
      expect(() => verifier.verify(flipped, headersOf(received))).toThrow();
      expect(() =>
        new Webhook(`whsec_${Buffer.alloc(32).toString("base64")}`).verify(received.body, headersOf(received)),
      ).toThrow();
    }
    expect(at.received.length).toBeGreaterThan(0);
  });

  it("is signed with both secrets for 24 hours after a rotation, then only with the new one", async () => {
    const at = await receiver();
    const { world, clock } = setting;
    const { id, secret: old } = await setting.subscribe(world.people.admin, {
      url: at.url,
      events: ["document.created"],
    });
    const inTheApp = inApp(world.people.admin);
    const { secret: fresh } = await invoke(world.service, operations.rotateWebhookSecret, inTheApp, { id });
    expect(fresh).not.toBe(old);
    await write("In between");
    await setting.settled();
    const [first] = at.received;
    if (first === undefined) throw new Error("nothing came");
    for (const secret of [old, fresh])
      expect(() => new Webhook(secret).verify(first.body, headersOf(first))).not.toThrow();
    const signatures = headersOf(first)["webhook-signature"]?.split(" ") ?? [];
    expect(signatures).toHaveLength(2);
    clock.advance(24 * 60 * 60 * 1000 + 1);
    await write("Afterwards");
    await setting.settled();
    expect(headersOf(at.received.at(-1) ?? first)["webhook-signature"]?.split(" ")).toHaveLength(1);
  });

  it("is made for the events of the subscription: a name, document.*, or *", {
    meta: { proves: ["webhooks.events"] },
  }, async () => {
    const exact = await receiver();
    const area = await receiver();
    const all = await receiver();
    const { people } = setting.world;
    await setting.subscribe(people.admin, { url: exact.url, events: ["document.published", "tag.created"] });
    await setting.subscribe(people.admin, { url: area.url, events: ["document.*"] });
    await setting.subscribe(people.admin, { url: all.url, events: ["*"] });
    await write("Named", { tags: ["named-tag"] });
    await setting.settled();
    expect(typesAt(exact).sort()).toEqual(["document.published", "tag.created"]);
    expect(typesAt(area).sort()).toEqual(["document.created", "document.published"]);
    expect(typesAt(all).sort()).toEqual(["document.created", "document.published", "tag.created"]);
  });

  it("is not made for a change that was rolled back", async () => {
    const at = await receiver();
    const { world } = setting;
    await setting.subscribe(world.people.admin, { url: at.url });
    const id = await write("Rolled back");
    await setting.settled();
    const before = at.received.length;
    const stale = { id, title: "Never", expectedRevision: 99 };
    await expect(invoke(world.service, operations.updateDocument, world.people.admin.actor, stale)).rejects.toThrow();
    await setting.settled();
    expect(at.received).toHaveLength(before);
  });

  it("keeps the order within one document", async () => {
    const at = await receiver((_request, response) => {
      setTimeout(() => response.writeHead(200).end(), Math.random() * 20);
    });
    const { service, people } = setting.world;
    await setting.subscribe(people.admin, { url: at.url, events: ["document.*"] });
    const ids = await Promise.all([write("One"), write("Two"), write("Three")]);
    for (let round = 1; round <= 10; round += 1) {
      await Promise.all(
        ids.map((id) =>
          invoke(service, operations.updateDocument, people.admin.actor, { id, title: `Round ${round}` }),
        ),
      );
    }
    await setting.settled();
    for (const id of ids) {
      const sequences = at.received.map(payloadOf).flatMap(({ data, sequence }) => (data.id === id ? [sequence] : []));
      expect(sequences).toHaveLength(12);
      expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
    }
  });
});

describe("a receiver", () => {
  const hour = 3_600_000;

  it("that answers 500 for an hour and then recovers receives every event, in order, with the same webhook-id", {
    meta: { proves: ["decision.webhooks.retries"] },
  }, async () => {
    let up = false;
    const at = await receiver((_request, response) => response.writeHead(up ? 200 : 500).end("down"));
    const { world, clock } = setting;
    const { id } = await setting.subscribe(world.people.admin, { url: at.url, events: ["document.*"] });
    const document = await write("Patience");
    await setting.settled();
    const tries: number[] = [at.received.length];
    for (let elapsed = 0; elapsed < hour; elapsed += hour / 30) {
      clock.advance(hour / 30);
      await setting.settled();
      tries.push(at.received.length);
    }
    // At once, after 5 s, 5 m and 30 m; the second event waits for the first.
    const failed = at.received.length;
    expect(failed).toBeGreaterThanOrEqual(4);
    expect(failed).toBeLessThanOrEqual(5);
    expect(new Set(at.received.map((received) => received.headers["webhook-id"])).size).toBe(1);
    up = true;
    clock.advance(3 * hour);
    await setting.settled();
    const types = at.received.slice(failed).map((received) => payloadOf(received).type);
    expect(types).toEqual(["document.created", "document.published"]);
    expect(at.received.slice(failed).every((received) => payloadOf(received).data.id === document)).toBe(true);
    const shown = await invoke(world.service, operations.getWebhook, inApp(world.people.admin), { id });
    expect([shown.enabled, shown.lastDeliveryAt]).toEqual([true, clock.now().toISOString()]);
  });

  it("that answers 410 receives nothing more, and webhook.disabled is sent", {
    meta: { proves: ["decision.webhooks.disabled"] },
  }, async () => {
    const gone = await receiver((_request, response) => response.writeHead(410).end());
    const other = await receiver();
    const { world } = setting;
    const { id } = await setting.subscribe(world.people.admin, { url: gone.url });
    await setting.subscribe(world.people.admin, { url: other.url, events: ["webhook.disabled"] });
    await write("Gone");
    await setting.settled();
    const requestCount = gone.received.length;
    await write("Gone again");
    await setting.settled();
    // Requests that were in flight when it answered may have arrived too.
    expect(requestCount).toBeLessThanOrEqual(4);
    expect(gone.received).toHaveLength(requestCount);
    const shown = await invoke(world.service, operations.getWebhook, inApp(world.people.admin), { id });
    expect([shown.enabled, shown.disabledReason]).toEqual([false, expect.stringContaining("410")]);
    expect(other.received.map(payloadOf).map(({ type, data }) => [type, data.id])).toEqual([["webhook.disabled", id]]);
  });

  it("that requests a pause by Retry-After is retried after it", async () => {
    const at = await receiver((_request, response) => response.writeHead(503, { "Retry-After": "1800" }).end());
    await setting.subscribe(setting.world.people.admin, { url: at.url, events: ["document.created"] });
    await write("Busy");
    await setting.settled();
    expect(at.received).toHaveLength(1);
    setting.clock.advance(1_790_000);
    await setting.settled();
    expect(at.received).toHaveLength(1);
    setting.clock.advance(20_000);
    await setting.settled();
    expect(at.received).toHaveLength(2);
  });

  it("that redirects is not followed, and of a 100 MB response only 2 kB are read", {
    meta: { proves: ["decision.webhooks.log"] },
  }, async () => {
    const secret = await receiver();
    const moved = await receiver((_request, response) => response.writeHead(307, { Location: secret.url }).end());
    const large = await receiver((_request, response) => {
      response.writeHead(500);
      let left = 1_600;
      const more = (): void => {
        for (; left > 0; left -= 1)
          if (!response.write(Buffer.alloc(65_536, "x"))) return void response.once("drain", more);
        response.end();
      };
      more();
    });
    const { world } = setting;
    const { id } = await setting.subscribe(world.people.admin, { url: large.url, events: ["document.created"] });
    await setting.subscribe(world.people.admin, { url: moved.url, events: ["document.created"] });
    await write("Elsewhere");
    await setting.settled();
    expect(moved.received).toHaveLength(1);
    expect(secret.received).toHaveLength(0);
    const { data } = await invoke(world.service, operations.listDeliveries, inApp(world.people.admin), { id });
    expect(data.map(({ responseStatus, responseBody }) => [responseStatus, responseBody?.length])).toEqual([
      [500, 2_048],
    ]);
  });

  it("that fails for five days is disabled, and receives the waiting events when it is enabled again", async () => {
    let up = false;
    const at = await receiver((_request, response) => response.writeHead(up ? 200 : 500).end());
    const { world, clock } = setting;
    const boss = inApp(world.people.admin);
    const { id } = await setting.subscribe(world.people.admin, { url: at.url, events: ["document.created"] });
    const enabled = async (): Promise<boolean> =>
      (await invoke(world.service, operations.getWebhook, boss, { id })).enabled;
    const startedAt = clock.now().getTime();
    while (await enabled()) {
      await write("One a while");
      clock.advance(6 * hour);
      await setting.settled();
      expect(clock.now().getTime() - startedAt).toBeLessThan(7 * 24 * hour);
    }
    expect(clock.now().getTime() - startedAt).toBeGreaterThanOrEqual(5 * 24 * hour);
    const before = at.received.length;
    up = true;
    await invoke(world.service, operations.updateWebhook, boss, { id, enabled: true });
    clock.advance(11 * hour);
    await setting.settled();
    expect(at.received.length).toBeGreaterThan(before);
    expect(await enabled()).toBe(true);
  }, 60_000);

  it("that never answers delays no other: nine healthy receivers have every event before it times out", async () => {
    const silent = await receiver(() => {});
    const healthy = await Promise.all(Array.from({ length: 9 }, () => receiver()));
    const { people } = setting.world;
    await setting.subscribe(people.admin, { url: silent.url, events: ["document.created"] });
    for (const at of healthy) await setting.subscribe(people.admin, { url: at.url, events: ["document.created"] });
    for (let count = 0; count < 20; count += 1) await write(`Beside ${count}`);
    // The silent receiver has 15 s per delivery and occupies at most four places.
    const everybody = (): boolean => healthy.every((at) => at.received.length === 20);
    await expect.poll(everybody, { timeout: 14_000, interval: 20 }).toBe(true);
    expect(silent.received).toHaveLength(4);
  }, 40_000);
});
