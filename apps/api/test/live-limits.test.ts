import { insertedText, type Person } from "@kb/core/testing";
import type { Failure, Reply } from "@kb/http/testing";
import { processLimiter } from "@kb/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inApp } from "./in-app.ts";
import { livePeople } from "./live-people.ts";
import { openSetting, type Setting, unknownId } from "./setting.ts";

let setting: Setting;
let now = 0;
beforeAll(async () => {
  setting = await openSetting({ limiter: processLimiter({ now: () => now }) });
});
const { createDocument, openAs } = livePeople(() => setting);
afterAll(() => setting.close());

type Pushed = Failure & { readonly data: { readonly version: number } };

/** A tab of a person, which sends batches without reading what others write. */
async function tabOf(person: Person, documentId: string) {
  const { lineage, schema, since } = await openAs(person, documentId);
  const call = await inApp(setting, person);
  const clientId: string = crypto.randomUUID();
  const send = (seq: number, fields: object = {}): Promise<Reply<Pushed>> => {
    const steps = [insertedText(1, "x")];
    return call<Pushed>("live.push", { documentId, lineage, schema, clientId, seq, base: since, steps, ...fields });
  };
  return { clientId, send };
}

describe("the limit of openings of a person", () => {
  it("is 60 documents and 60 streams in a minute; batches and other people are beside it", async () => {
    const { editor, admin } = setting.world.people;
    now += 60_000;
    const id = await createDocument();
    const tab = await tabOf(editor, id);
    const call = await inApp(setting, editor);
    const open = () => call<Failure>("live.open", { documentId: id });
    // `tabOf` has opened it once.
    for (let count = 2; count <= 60; count += 1) expect((await open()).status).toBe(200);
    expect(await open()).toMatchObject({ status: 429, body: { code: "rate_limited", retryAfterSeconds: 60 } });
    expect((await tab.send(1)).status).toBe(200);
    const { cookie } = await setting.world.session(editor);
    // One that is refused for its log, as a stream that is cut off is opened again and again.
    const query = new URLSearchParams({ documentId: unknownId, lineage: unknownId, since: "0" });
    const stream = async () => {
      const url = `http://localhost:3000/api/live.stream?${query}`;
      return (await setting.app.fetch(new Request(url, { headers: { Cookie: cookie } }))).status;
    };
    for (let count = 1; count <= 60; count += 1) expect(await stream()).toBe(404);
    expect(await stream()).toBe(429);
    expect((await (await inApp(setting, admin))("live.open", { documentId: id })).status).toBe(200);
    now += 60_000;
    expect((await open()).status).toBe(200);
    expect(await stream()).toBe(404);
  });
});

describe("the limit of batches of a client", () => {
  it("is 40 in any 5 seconds; the next one is told when to come back, and is accepted once then", async () => {
    const id = await createDocument();
    const tab = await tabOf(setting.world.people.editor, id);
    for (let seq = 1; seq <= 40; seq += 1) expect((await tab.send(seq)).status).toBe(200);
    now += 3_500;
    const refused = await tab.send(41);
    expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited", retryAfterSeconds: 2 } });
    expect(refused.headers.get("Retry-After")).toBe("2");
    now += 2_000;
    expect(await tab.send(41)).toMatchObject({ status: 200, body: { data: { version: 41 } } });
  });

  it("counts batches that are refused, or sent again", async () => {
    const id = await createDocument();
    const tab = await tabOf(setting.world.people.editor, id);
    for (let count = 1; count <= 20; count += 1) {
      expect((await tab.send(1)).status).toBe(200);
      expect((await tab.send(9)).status).toBe(409);
    }
    expect((await tab.send(2)).status).toBe(429);
  });

  it("is that of one client of one person: another tab is served, and nobody uses up that of somebody else", async () => {
    const { editor, admin } = setting.world.people;
    const id = await createDocument();
    const tab = await tabOf(editor, id);
    expect((await tab.send(1)).status).toBe(200);
    const hostile = await tabOf(admin, id);
    const statuses: number[] = [];
    for (let count = 1; count <= 41; count += 1) {
      const clientId = count % 2 === 0 ? tab.clientId : tab.clientId.toUpperCase();
      statuses.push((await hostile.send(2, { clientId })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 40 }, () => 409), 429]);
    expect((await tab.send(2)).status).toBe(200);
    expect((await hostile.send(1)).status).toBe(200);
  });
});
