import { expect, it } from "vitest";
import { HeavyAnswers } from "./heavy-answers.ts";

const never = new AbortController().signal;
const limits = { running: 4, runningPerOwner: 2, waiting: 4, waitingPerOwner: 2 };

/** Enters for each owner; returns whose turn it is, and the functions that end their turns. */
function enterAll(answers: HeavyAnswers, owners: readonly string[]) {
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  const refused: string[] = [];
  for (const [index, owner] of owners.entries()) {
    const name = `${owner}${index}`;
    answers.enter(owner, never).then(
      (end) => {
        running.push(name);
        ends.set(name, end);
      },
      (error: { code: string; retryAfterSeconds: number }) =>
        refused.push(`${name} ${error.code} ${error.retryAfterSeconds}`),
    );
  }
  return { running, ends, refused };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it("at most four heavy answers are sent at once, and two to one user", async () => {
  const { running, refused } = enterAll(new HeavyAnswers(limits), ["a", "a", "a", "b", "c", "d"]);
  await settled();
  expect(running).toEqual(["a0", "a1", "b3", "c4"]);
  expect(refused).toEqual([]);
});

it("the end of one lets the first in that may run, once", async () => {
  const { running, ends } = enterAll(new HeavyAnswers(limits), ["a", "a", "a", "b", "c", "d"]);
  await settled();
  ends.get("b3")?.();
  ends.get("b3")?.();
  await settled();
  expect(running).toEqual(["a0", "a1", "b3", "c4", "d5"]);
  ends.get("a0")?.();
  await settled();
  expect(running).toEqual(["a0", "a1", "b3", "c4", "d5", "a2"]);
});

it("beyond the queue, and beyond a user's part of it, the answer is 503 with Retry-After", async () => {
  const owners = ["a", "a", "b", "b", "a", "a", "a", "c", "c", "d"];
  const { running, refused } = enterAll(new HeavyAnswers(limits), owners);
  await settled();
  expect(running).toEqual(["a0", "a1", "b2", "b3"]);
  expect(refused).toEqual(["a6 unavailable 2", "d9 unavailable 2"]);
});

it("a client that disconnects leaves the queue", async () => {
  const answers = new HeavyAnswers({ ...limits, running: 1, waiting: 1 });
  const end = await answers.enter("a", never);
  const gone = new AbortController();
  const waiting = answers.enter("b", gone.signal);
  gone.abort();
  await expect(waiting).rejects.toMatchObject({ code: "unavailable" });
  const next = answers.enter("c", never);
  end();
  expect(typeof (await next)).toBe("function");
  await expect(new HeavyAnswers({ ...limits, running: 0 }).enter("a", gone.signal)).rejects.toThrow();
});
