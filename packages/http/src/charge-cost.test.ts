import type { Limiter } from "@kb/runtime";
import { addCpuTime, beginDatabaseWork } from "@kb/telemetry";
import { expect, it } from "vitest";
import { z } from "zod";
import { as, edgeOf, operationOf } from "../test/edge.ts";
import { section } from "../test/things.ts";
import { route } from "./route.ts";

type Work = { readonly ms?: number; readonly databaseMs?: number; readonly signal?: AbortSignal };

/** A busy machine may take long until requests have begun. */
const soon = { timeout: 30_000 };

/** An edge whose operations take processor time, of 6 s that each user may use in a minute, and run until `release`. */
function turnsEdge(limiter?: Limiter) {
  const begun: string[] = [];
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const input = z.strictObject({ name: z.string(), ms: z.coerce.number(), databaseMs: z.coerce.number() });
  const use = operationOf(input, z.object({}), async ({ name, ms, databaseMs }) => {
    begun.push(name);
    addCpuTime(ms);
    const end = beginDatabaseWork();
    if (databaseMs > 0) await new Promise((resolve) => setTimeout(resolve, databaseMs));
    end?.();
    await promise;
    return {};
  });
  const budget = { cpuMs: 6_000, bytes: 1e9 };
  const options = limiter === undefined ? { budget } : { budget, limiter };
  const { app } = edgeOf([route("get", "/api/v1/work", use, { section })], options);
  const ask = async (token: string, name: string, { ms = 0, databaseMs = 0, signal }: Work = {}): Promise<number> => {
    const query = `name=${name}&ms=${ms}&databaseMs=${databaseMs}`;
    const request = new Request(`http://localhost/api/v1/work?${query}`, { ...as(token), signal: signal ?? null });
    return (await app.request(request)).status;
  };
  return { ask, begun, release };
}

it("while others are active, two operations of a user run at once, with any of their keys", async () => {
  const { ask, begun, release } = turnsEdge();
  const answers = [ask("else", "theirs"), ask("good", "first"), ask("other", "second"), ask("good", "third")];
  await expect.poll(() => begun.length, soon).toBe(3);
  answers.push(ask("else", "theirs too"));
  await expect.poll(() => begun, soon).toEqual(["theirs", "first", "second", "theirs too"]);
  release();
  expect(await Promise.all(answers)).toEqual([200, 200, 200, 200, 200]);
  expect(begun.at(-1)).toBe("third");
});

it("the work of a user's keys keeps no page of their browser waiting", async () => {
  const { ask, begun, release } = turnsEdge();
  const answers = [ask("else", "theirs"), ...["first", "second", "third"].map((name) => ask("good", name))];
  await expect.poll(() => begun, soon).toEqual(["theirs", "first", "second"]);
  answers.push(ask("browser", "page"));
  await expect.poll(() => begun, soon).toEqual(["theirs", "first", "second", "page"]);
  release();
  expect(await Promise.all(answers)).toEqual([200, 200, 200, 200, 200]);
});

it("the processor time of a user's requests makes their next operation wait, and nobody else's", async () => {
  const { ask, begun, release } = turnsEdge();
  release();
  await ask("else", "theirs");
  // Three tenths of the budget, of which a twentieth may be used at once: the rest takes 30 s.
  await ask("good", "costly", { ms: 1_800 });
  const client = new AbortController();
  const next = ask("good", "next", { signal: client.signal });
  await ask("else", "theirs too");
  expect(begun).toEqual(["theirs", "costly", "theirs too"]);
  client.abort();
  expect(await next).toBe(499);
  expect(begun).toEqual(["theirs", "costly", "theirs too"]);
});

it("the time for which PostgreSQL works is spent from the budget of processor time", async () => {
  const spent: (readonly number[])[] = [];
  const { ask, release } = turnsEdge({
    take: async () => ({ allowed: true, remaining: 1, resetMs: 0 }),
    spend: async (_key, amounts) => void spent.push(amounts),
  });
  release();
  expect(await ask("good", "long", { databaseMs: 150 })).toBe(200);
  expect(spent[0]?.[0]).toBeGreaterThanOrEqual(125);
});
