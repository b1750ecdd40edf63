import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FairShare } from "./fair-share.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] }));
afterEach(() => vi.useRealTimers());

/** Counts a request of a caller that has cost a part of the budget, and ends it. */
function send(share: FairShare, name: string, cost = 0): void {
  share.enter(name, () => cost)();
}

/** An operation that waits for its turn, has begun or was refused. */
type Watched = { state: string; end: () => void };

function ask(share: FairShare, name: string, to: "begin" | "go on" = "begin", signal?: AbortSignal): Watched {
  const watched: Watched = { state: "waits", end: () => {} };
  share.takeTurn(name, to, signal).then(
    (end) => Object.assign(watched, { state: "begun", end }),
    (error: { code: string }) => (watched.state = error.code),
  );
  return watched;
}

const statesOf = (list: readonly Watched[]): string[] => list.map(({ state }) => state);

/** Passes time in which others are active. */
async function pass(share: FairShare, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1_000) {
    send(share, "bob");
    await vi.advanceTimersByTimeAsync(Math.min(left, 1_000));
  }
}

it("while others are active, two operations of a caller run at once, and the next begins when one ends", async () => {
  const share = new FairShare();
  send(share, "bob");
  const work = ["ada", "ada", "ada", "bob"].map((name) => {
    send(share, name);
    return ask(share, name);
  });
  await pass(share, 1);
  expect(statesOf(work)).toEqual(["begun", "begun", "waits", "begun"]);
  work[1]?.end();
  await pass(share, 1);
  expect(statesOf(work)).toEqual(["begun", "begun", "begun", "begun"]);
});

it("a caller who is active alone never waits", async () => {
  const share = new FairShare();
  send(share, "ada", 5);
  const work = Array.from({ length: 20 }, () => ask(share, "ada"));
  await vi.advanceTimersByTimeAsync(0);
  expect(new Set(statesOf(work))).toEqual(new Set(["begun"]));
});

it("a caller who waits goes on when the others become inactive", async () => {
  const share = new FairShare({ activeMs: 5_000 });
  send(share, "bob");
  send(share, "ada");
  const work = Array.from({ length: 5 }, () => ask(share, "ada"));
  await vi.advanceTimersByTimeAsync(4_000);
  expect(statesOf(work)).toEqual(["begun", "begun", "waits", "waits", "waits"]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(new Set(statesOf(work))).toEqual(new Set(["begun"]));
});

it("a caller who has used more than a burst of the budget waits until a third of the budget a minute has paid for it", async () => {
  const share = new FairShare();
  send(share, "bob");
  send(share, "ada", 0.1);
  const work = ask(share, "ada");
  await pass(share, 8_500);
  expect(work.state).toBe("waits");
  await pass(share, 1_000);
  expect(work.state).toBe("begun");
});

it("the cost of a request counts while it runs", async () => {
  const share = new FairShare();
  send(share, "bob");
  let cost = 0;
  share.enter("ada", () => cost);
  const first = ask(share, "ada");
  await pass(share, 1_000);
  cost = 0.1;
  const second = ask(share, "ada");
  first.end();
  await pass(share, 8_000);
  expect(second.state).toBe("waits");
  await pass(share, 2_000);
  expect(second.state).toBe("begun");
});

it("a caller who owes more than a tenth of a burst has one turn at a time", async () => {
  const share = new FairShare();
  send(share, "bob");
  send(share, "ada", 0.02);
  const work = [ask(share, "ada"), ask(share, "ada")];
  await pass(share, 10);
  expect(statesOf(work)).toEqual(["begun", "waits"]);
});

it("a request that costs a fifth of the budget is paid in whole before the next one begins, which is not refused", async () => {
  const share = new FairShare();
  send(share, "bob");
  send(share, "ada", 0.2);
  const next = ask(share, "ada");
  await pass(share, 26_000);
  expect(next.state).toBe("waits");
  await pass(share, 2_000);
  expect(next.state).toBe("begun");
});

it("an operation that waits for too long, or beside too many, is refused with a time to come back", async () => {
  const share = new FairShare({ waiting: 3 });
  send(share, "bob");
  send(share, "ada", 5);
  const work = [ask(share, "ada"), ask(share, "ada"), ask(share, "ada")];
  await expect(share.takeTurn("ada", "begin")).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 31 });
  await pass(share, 33_000);
  expect(statesOf(work)).toEqual(["begun", "rate_limited", "rate_limited"]);
  work[0]?.end();
  await pass(share, 10_000);
  const next = ask(share, "ada");
  await pass(share, 1);
  expect(next.state).toBe("begun");
});

it("an answer that is being sent waits for its next turn behind operations, and is never refused", async () => {
  const share = new FairShare({ waiting: 1 });
  send(share, "bob");
  const running = ask(share, "ada");
  send(share, "ada", 5);
  const operation = ask(share, "ada");
  const answer = ask(share, "ada", "go on");
  await pass(share, 33_000);
  expect(statesOf([operation, answer])).toEqual(["rate_limited", "waits"]);
  running.end();
  await pass(share, 1);
  expect(answer.state).toBe("begun");
});

it("an operation whose client disconnects leaves the queue", async () => {
  const share = new FairShare();
  send(share, "bob");
  send(share, "ada", 0.02);
  const running = ask(share, "ada");
  const client = new AbortController();
  const given = ask(share, "ada", "begin", client.signal);
  const next = ask(share, "ada");
  await pass(share, 1);
  client.abort();
  await pass(share, 1);
  expect(given.state).toBe("unavailable");
  running.end();
  await pass(share, 1);
  expect(next.state).toBe("begun");
  expect(ask(share, "ada", "begin", client.signal).state).toBe("waits");
});
