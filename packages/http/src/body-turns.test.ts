import { expect, it } from "vitest";
import { BodyTurns } from "./body-turns.ts";

/** Runs one body of 100 bytes for each owner; returns the names in the order in which they ran, and those refused. */
async function runAll(owners: readonly string[], waitingBytes = 200) {
  const turns = new BodyTurns(waitingBytes);
  const ran: string[] = [];
  const refused: string[] = [];
  let together = 0;
  const work = async (name: string): Promise<void> => {
    together += 1;
    expect(together).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    ran.push(name);
    together -= 1;
  };
  await Promise.all(
    owners.map((owner, index) =>
      turns
        .run(owner, 100, () => work(`${owner}${index}`))
        .catch((error: { code: string; retryAfterSeconds: number }) =>
          refused.push(`${owner}${index} ${error.code} ${error.retryAfterSeconds}`),
        ),
    ),
  );
  return { ran, refused, turns };
}

it("one large body runs at a time, and owners take turns", async () => {
  const { ran, refused } = await runAll(["a", "a", "a", "b"], 300);
  expect(ran).toEqual(["a0", "a1", "b3", "a2"]);
  expect(refused).toEqual([]);
});

it("beyond the bytes that may wait, the answer is 503 with Retry-After", async () => {
  const { ran, refused } = await runAll(["a", "a", "b", "c"]);
  expect(ran).toEqual(["a0", "a1", "b2"]);
  expect(refused).toEqual(["c3 unavailable 2"]);
});

it("bytes that have waited, and bodies that failed, make room for others", async () => {
  const { turns } = await runAll(["a", "a", "a"]);
  const failing = turns.run("a", 100, () => Promise.reject(new Error("no JSON")));
  const following = [turns.run("a", 100, async () => 1), turns.run("a", 100, async () => 2)];
  await expect(failing).rejects.toThrow("no JSON");
  expect(await Promise.all(following)).toEqual([1, 2]);
});
