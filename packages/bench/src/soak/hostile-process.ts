import { Agent } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { routes } from "@kb/api";
import { prepare, sendAtOnce, tryBeginSession } from "../worst/send.ts";
import type { Credentials } from "../worst/subjects.ts";
import { finalInputs } from "../worst/team-inputs.ts";
import type { Subjects, WorstInput } from "../worst/worst-input.ts";
import { ownInputs } from "../worst/worst-inputs.ts";
import type { HostileTarget } from "./hostile-user.ts";

// Sends the worst known inputs in an endless cycle over several connections with a key, and over others with the session of a
// browser. A connection pauses for a second after a request above the rate limit. Begins with the first message from its parent, a
// target, and ends with the second one.

const keyConnections = 8;
const sessionConnections = 8;
const { origin, credentials, subjects } = asTarget(await nextMessage());
const rows = routes(origin);
const agent = new Agent({ keepAlive: true, maxSockets: keyConnections + sessionConnections });
const statuses = new Map<number, number>();
let session = "";
let isStopped = false;

/** Resolves with the next message from the parent. */
function nextMessage(): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  process.once("message", resolve);
  return promise;
}

/** The process is started by `startHostileUser` only, which sends a target. */
function asTarget(value: unknown): HostileTarget {
  return value as HostileTarget;
}

/** Returns the requests of some operations, without those that end what the others are about. */
function attacksOn(operations: ReadonlySet<string>, about: Subjects): WorstInput[] {
  const ends = new Set(finalInputs(about).map(({ operation }) => operation));
  ends.delete("documents.create");
  return ownInputs(about).filter(({ operation }) => operations.has(operation) && !ends.has(operation));
}

const ofUsers = rows.filter((row) => row.caller === "user");
const byKey = new Set(["mcp", ...ofUsers.filter((row) => !row.sessionOnly).map((row) => row.name)]);
const bySession = new Set(ofUsers.map((row) => row.name));

function count(status: number): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
}

/** Asks for a session of MCP until there is one: a busy service answers 503. Until then its requests have none. */
async function obtainSession(): Promise<void> {
  while (!isStopped) {
    const begun = await tryBeginSession(origin, credentials).catch(() => ({ status: 0, session: null }));
    count(begun.status);
    if (begun.session !== null) {
      session = begun.session;
      return;
    }
    await pause(1_000);
  }
}

/** Sends the inputs in turn over several connections, until it is stopped. */
async function attack(inputs: readonly WorstInput[], connections: number, by: Credentials): Promise<void> {
  let next = 0;
  const sendInTurn = async (): Promise<void> => {
    while (!isStopped) {
      const input = inputs[next % inputs.length];
      next += 1;
      if (input === undefined) return;
      const row = rows.find(({ name }) => name === input.operation);
      const { status } = await sendAtOnce(prepare(origin, row, input, by, session), input.copies ?? 1, agent);
      count(status);
      if (status === 429) await pause(1_000);
    }
  };
  await Promise.all(Array.from({ length: connections }, sendInTurn));
}

void nextMessage().then(() => {
  isStopped = true;
});
await Promise.all([
  obtainSession(),
  attack(attacksOn(byKey, subjects), keyConnections, credentials),
  attack(attacksOn(bySession, subjects), sessionConnections, { ...credentials, key: credentials.session }),
]);
agent.destroy();
process.send?.(statuses, undefined, undefined, () => process.disconnect());
