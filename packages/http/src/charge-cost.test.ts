import { addCpuTime, turnOfCaller } from "@kb/telemetry";
import { expect, it } from "vitest";
import { z } from "zod";
import { as, edgeOf, operationOf } from "../test/edge.ts";
import { section } from "../test/things.ts";
import { route } from "./route.ts";

/** An edge whose requests take processor time, of 6 s that each user may use in a minute, and then a turn until `release`. */
function turnsEdge() {
  const begun: string[] = [];
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const input = z.strictObject({ name: z.string(), ms: z.coerce.number() });
  const use = operationOf(input, z.object({}), async ({ name, ms }) => {
    addCpuTime(ms);
    const turn = await turnOfCaller()?.();
    begun.push(name);
    await promise;
    turn?.end();
    return {};
  });
  const { app } = edgeOf([route("get", "/api/v1/work", use, { section })], { budget: { cpuMs: 6_000, bytes: 1e9 } });
  const ask = async (token: string, name: string, ms = 0): Promise<number> =>
    (await app.request(`/api/v1/work?name=${name}&ms=${ms}`, as(token))).status;
  return { ask, begun, release };
}

it("while others are active, two pieces of heavy work of a user run at once, with any of their keys", async () => {
  const { ask, begun, release } = turnsEdge();
  const answers = [ask("else", "theirs"), ask("good", "first"), ask("other", "second"), ask("good", "third")];
  await expect.poll(() => begun.length).toBe(3);
  answers.push(ask("else", "theirs too"));
  await expect.poll(() => begun).toEqual(["theirs", "first", "second", "theirs too"]);
  release();
  expect(await Promise.all(answers)).toEqual([200, 200, 200, 200, 200]);
  expect(begun.at(-1)).toBe("third");
});

it("the processor time of a user's requests makes their next heavy work wait, and nobody else's", async () => {
  const { ask, begun, release } = turnsEdge();
  release();
  await ask("else", "theirs");
  // A fifth of the budget, of which a tenth may be used at once: the rest takes 6 s.
  const costly = ask("good", "costly", 1_200);
  const theirs = ask("else", "theirs too");
  await theirs;
  expect(begun).toEqual(["theirs", "theirs too"]);
  expect(await costly).toBe(200);
});
