import { describe, expect, it, vi } from "vitest";
import { HeavyAnswers, type HeavyTurn } from "./heavy-answers.ts";

const never = new AbortController().signal;
const limits = { running: 4, runningPerOwner: 2, waiting: 4, waitingPerOwner: 2 };
const keep = (): void => {};

/** Enters for each owner; returns whose turn it is, and the functions that end their turns. */
function enterAll(answers: HeavyAnswers, owners: readonly string[]) {
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  const refused: string[] = [];
  for (const [index, owner] of owners.entries()) {
    const name = `${owner}${index}`;
    answers.enter(owner, never, keep).then(
      ({ end }) => {
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
  const owners = ["a", "a", "b", "b", "a", "a", "a", "c", "c", "c"];
  const { running, refused } = enterAll(new HeavyAnswers(limits), owners);
  await settled();
  expect(running).toEqual(["a0", "a1", "b2", "b3"]);
  expect(refused).toEqual(["a6 unavailable 2", "c9 unavailable 2"]);
  const all = enterAll(new HeavyAnswers(limits), ["a", "a", "b", "b", "a", "b", "c", "d", "e"]);
  await settled();
  expect(all.refused).toEqual(["e8 unavailable 2"]);
});

it("callers take turns: one with many answers delays only its own", async () => {
  const answers = new HeavyAnswers({ running: 1, runningPerOwner: 1 });
  const { running, ends } = enterAll(answers, ["a", "a", "a", "a", "b", "c", "b"]);
  for (let turn = 0; turn < 7; turn += 1) {
    await settled();
    ends.get(running.at(-1) ?? "")?.();
  }
  expect(running).toEqual(["a0", "a1", "b4", "c5", "a2", "b6", "a3"]);
});

it("a caller with one answer finds a place in a queue that others have filled with several", async () => {
  const owners = ["a", "a", "b", "b", "a", "a", "b", "b", "c", "d"];
  const { running, refused, ends } = enterAll(new HeavyAnswers(limits), owners);
  await settled();
  expect(refused).toEqual(["a5 unavailable 2", "b7 unavailable 2"]);
  for (const name of ["a0", "a1", "b2", "b3"]) ends.get(name)?.();
  await settled();
  expect(running.slice(4).toSorted()).toEqual(["a4", "b6", "c8", "d9"]);
});

describe("an answer that waits for its client", () => {
  const slowly = { running: 1, runningPerOwner: 1, slowAfterMs: 10 };

  async function* parts(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(1);
    yield new Uint8Array(1);
  }

  /** Sends the first part to a client that never takes it. */
  async function leaveUnread({ watch }: HeavyTurn): Promise<void> {
    await watch(parts())[Symbol.asyncIterator]().next();
  }

  it("leaves its turn to others after a time, and counts as one of its user's only", async () => {
    const answers = new HeavyAnswers({ ...slowly, running: 1, runningPerOwner: 1 });
    const turn = await answers.enter("a", never, keep);
    const own = enterAll(answers, ["a"]);
    const waiting = answers.enter("b", never, keep);
    await leaveUnread(turn);
    const next = await waiting;
    next.end();
    await settled();
    expect(own.running).toEqual([]);
    turn.end();
    await settled();
    expect(own.running).toEqual(["a0"]);
  });

  it("is given up if too many slow clients are being served, the oldest first", async () => {
    const answers = new HeavyAnswers({ ...slowly, slow: 2 });
    const disconnected: string[] = [];
    for (const owner of ["a", "b", "c", "d"]) {
      await leaveUnread(await answers.enter(owner, never, () => disconnected.push(owner)));
    }
    await answers.enter("e", never, keep);
    expect(disconnected).toEqual(["a", "b"]);
  });

  it("keeps its turn for as long as its client takes what it is sent", async () => {
    const answers = new HeavyAnswers({ ...slowly, slowAfterMs: 60_000 });
    const turn = await answers.enter("a", never, keep);
    const { running } = enterAll(answers, ["b"]);
    let count = 0;
    for await (const part of turn.watch(parts())) count += part.length;
    await settled();
    expect([count, running]).toEqual([2, []]);
  });
});

it("an answer that waits for 20 seconds is 503 with Retry-After, and leaves the queue", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const answers = new HeavyAnswers({ ...limits, running: 1, waiting: 1 });
    const first = await answers.enter("a", never, keep);
    const waiting = enterAll(answers, ["b"]);
    await vi.advanceTimersByTimeAsync(19_999);
    expect(waiting.refused).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(waiting.refused).toEqual(["b0 unavailable 2"]);
    const next = enterAll(answers, ["c"]);
    first.end();
    await vi.advanceTimersByTimeAsync(30_000);
    expect([waiting.running, next.running, next.refused]).toEqual([[], ["c0"], []]);
  } finally {
    vi.useRealTimers();
  }
});

it("an answer that waits for two others of its caller is 503 after 2 seconds, and one that waits for others keeps its place", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const answers = new HeavyAnswers({ ...limits, running: 3 });
    const { running, refused } = enterAll(answers, ["a", "a", "b", "a", "c"]);
    await vi.advanceTimersByTimeAsync(1_999);
    expect([running, refused]).toEqual([["a0", "a1", "b2"], []]);
    await vi.advanceTimersByTimeAsync(1);
    expect(refused).toEqual(["a3 unavailable 2"]);
    await vi.advanceTimersByTimeAsync(17_999);
    expect(refused).toEqual(["a3 unavailable 2"]);
  } finally {
    vi.useRealTimers();
  }
});

it("a client that disconnects leaves the queue", async () => {
  const answers = new HeavyAnswers({ ...limits, running: 1, waiting: 1 });
  const { end } = await answers.enter("a", never, keep);
  const gone = new AbortController();
  const waiting = answers.enter("b", gone.signal, keep);
  gone.abort();
  await expect(waiting).rejects.toThrow("The client has disconnected.");
  const next = answers.enter("c", never, keep);
  end();
  expect(typeof (await next).end).toBe("function");
  await expect(new HeavyAnswers({ ...limits, running: 0 }).enter("a", gone.signal, keep)).rejects.toThrow();
});
