import type { DocumentView } from "@kb/core";
import { type ApiClient, type Known, type One, requestsOf, routesOf } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

const count = Number(process.env.KB_FUZZ_REQUESTS ?? 40);
const seed = Number(process.env.KB_FUZZ_SEED ?? Date.now() % 2 ** 31);
const atOnce = 8;

/** Every route gets requests made from the API's own description. `KB_FUZZ_REQUESTS` says how many, `KB_FUZZ_SEED` which. */
describe(`generated requests (${count} a route, seed ${seed})`, () => {
  let setting: Setting;
  let description: unknown;
  let callers: ApiClient[];
  let loggedIn: ApiClient[];
  let known: Known;
  beforeAll(async () => {
    setting = await openSetting();
    description = await (await setting.app.request("/openapi.json")).json();
    const { people, collections } = setting.world;
    const restrictions = { collections: { [collections.open]: "write", [collections.readable]: "read" } } as const;
    const narrow = await setting.world.key(people.editor, ["read", "write"], { restrictions });
    callers = [people.admin, people.editor, people.editor, people.member, people.viewer, narrow].map(setting.as);
    const sessions = [people.admin, people.admin, people.editor].map((person) => setting.world.session(person));
    loggedIn = (await Promise.all(sessions)).map(setting.as);
  });
  afterAll(() => setting.close());

  /** Things that exist, anew for each route: the requests before may have trashed the others. */
  async function make(): Promise<Known> {
    const admin = setting.as(setting.world.people.admin);
    const place = (await admin.post<One<{ id: string }>>("/api/v1/collections", { name: "Fuzzed" })).body.data.id;
    const documents = [];
    for (let index = 0; index < 10; index += 1) {
      const json = {
        collectionId: place,
        text: `# Guide\n\nsteps ${index}`,
        publish: index % 2 === 0,
        tags: ["guide"],
      };
      documents.push((await admin.post<One<DocumentView>>("/api/v1/documents", json)).body.data.id);
    }
    await admin.delete<object>(`/api/v1/documents/${documents[9]}`);
    const { guide, memberDraft, secret, foreign } = setting.world.documents;
    const { open, vault } = setting.world.collections;
    return {
      documents: [...documents, ...[guide, memberDraft, secret, foreign].map((document) => document.id)],
      collections: [place, place, open, vault],
    };
  }

  it("no route returns 5xx or an undocumented response", {
    timeout: 140_000 + count * 2_000,
    meta: { proves: ["decision.api.openapi", "errors.body"] },
  }, async () => {
    const routes = routesOf(description);
    expect(routes.length).toBeGreaterThan(20);
    const statuses = new Map<string, Map<number, number>>();
    for (const route of routes) {
      known = await make();
      const tally = new Map<number, number>();
      // Operations of the app reject every key.
      const inApp = !route.template.startsWith("/api/v1/");
      const asking = inApp ? loggedIn : callers;
      const requests = requestsOf(description, route, known, { count: inApp ? Math.ceil(count / 4) : count, seed });
      for (let start = 0; start < requests.length; start += atOnce) {
        await Promise.all(
          requests.slice(start, start + atOnce).map(async (request) => {
            const { method, path, raw, headers, caller } = request;
            const client = asking[caller % asking.length] ?? setting.as(null);
            const sending = { headers, ...(raw === undefined ? {} : { raw }) };
            const reply = await client.send<object>(method, path, sending).catch((error: unknown) => {
              throw new Error(`seed ${seed}: ${JSON.stringify(request)}`, { cause: error });
            });
            expect(reply.status, `seed ${seed}: ${JSON.stringify(request)}`).toBeLessThan(500);
            tally.set(reply.status, (tally.get(reply.status) ?? 0) + 1);
          }),
        );
      }
      statuses.set(`${route.method} ${route.template}`, tally);
    }
    // A generator that only ever makes refusals proves little.
    const tallies = [...statuses.values()].flatMap((tally) => [...tally]);
    const good = tallies.filter(([status]) => status < 300).reduce((sum, [, times]) => sum + times, 0);
    expect(good).toBeGreaterThan((count * routes.length) / 10);
    if (process.env.KB_FUZZ_REQUESTS !== undefined) {
      for (const [route, tally] of statuses) console.log(route, Object.fromEntries([...tally].sort()));
    }
  });
});
