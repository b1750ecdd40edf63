import { expect, it } from "vitest";
import { limits } from "./backplane.ts";
import { ProcessBackplane } from "./process.ts";

const proves = ["decision.mcp.log-bytes"] as const;
const initialize = { jsonrpc: "2.0" as const, id: 0, method: "initialize" };
const answer = (id: number, size: number) => ({ jsonrpc: "2.0" as const, id, result: { text: "x".repeat(size) } });

async function setting(sessions: Readonly<Record<string, string>>) {
  const clock = { at: 1_000 };
  const backplane = new ProcessBackplane(() => clock.at);
  for (const [session, principal] of Object.entries(sessions)) {
    await backplane.create(session, { principal, startedAt: clock.at, initialize });
  }
  /** Runs a call with one answer of a size; returns whether the answer is kept. */
  const call = async (session: string, stream: string, size: number, onlyIfTailed = false): Promise<boolean> => {
    const owner = { session, principal: sessions[session] ?? "" };
    await backplane.beginCall(owner, stream, [{ id: 1, isRead: onlyIfTailed }]);
    return (await backplane.append(owner, stream, answer(1, size), { last: true, onlyIfTailed })) !== null;
  };
  return { clock, backplane, call };
}

const mostOfASession = limits.logBytesPerSession * 0.9;

it("a session's log keeps at most 1 MB, and the other sessions have their own", { meta: { proves } }, async () => {
  const { backplane, call } = await setting({ a: "key:1", b: "key:1" });
  expect(await call("a", "1", mostOfASession)).toBe(true);
  expect(await call("a", "2", mostOfASession)).toBe(false);
  expect(await backplane.read("a", "2", "0-0")).toEqual([]);
  expect(await call("b", "1", mostOfASession)).toBe(true);
  backplane.close();
});

it("all sessions of a key keep at most 4 MB, and all sessions of the process 64 MB", { meta: { proves } }, async () => {
  const sessions = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`s${i}`, `key:${Math.floor(i / 5)}`]));
  const { backplane, call } = await setting(sessions);
  const kept: boolean[] = [];
  for (const session of Object.keys(sessions)) kept.push(await call(session, "1", mostOfASession));
  expect(kept.slice(0, 5)).toEqual([true, true, true, true, false]);
  expect(backplane.logBytes).toBeLessThanOrEqual(limits.logBytes);
  expect(kept.at(-1)).toBe(false);
  backplane.close();
});

it("a timer removes answers after two minutes, without another call of their session", {
  meta: { proves },
}, async () => {
  const { clock, backplane, call } = await setting({ a: "key:1" });
  await call("a", "1", mostOfASession);
  clock.at += limits.answeredLogMs;
  await backplane.sweep();
  expect(backplane.logBytes).toBe(0);
  expect(await backplane.findCall("a", "1")).toBeNull();
  expect(await call("a", "2", mostOfASession)).toBe(true);
  backplane.close();
});

it("an ended session gives its bytes back", { meta: { proves } }, async () => {
  const { backplane, call } = await setting({ a: "key:1" });
  await call("a", "1", mostOfASession);
  await backplane.drop("a");
  expect(backplane.logBytes).toBe(0);
  backplane.close();
});

it("an answer to a read is kept only for a client that has resumed the stream", async () => {
  const { backplane, call } = await setting({ a: "key:1" });
  expect(await call("a", "1", 10, true)).toBe(false);
  const owner = { session: "a", principal: "key:1" };
  await backplane.beginCall(owner, "2", [{ id: 1, isRead: true }]);
  await backplane.tail("a", "2");
  expect(await backplane.append(owner, "2", answer(1, 10), { onlyIfTailed: true })).not.toBeNull();
  backplane.close();
});

it("nothing is kept of a call whose request ids are longer than 8 kB", { meta: { proves } }, async () => {
  const { backplane } = await setting({ a: "key:1" });
  await backplane.beginCall({ session: "a", principal: "key:1" }, "1", [
    { id: "x".repeat(limits.idBytesPerCall), isRead: true },
  ]);
  expect(await backplane.findCall("a", "1")).toBeNull();
  expect(backplane.logBytes).toBe(0);
  backplane.close();
});
