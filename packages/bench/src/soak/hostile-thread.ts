import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { routes } from "@kb/api";
import { prepare, send, tryBeginSession } from "../worst/send.ts";
import type { Subjects, WorstInput } from "../worst/worst-input.ts";
import { ownInputs } from "../worst/worst-inputs.ts";
import type { HostileTarget } from "./hostile-user.ts";

// Sends the worst known inputs in an endless cycle over several connections, from an event loop of its own. A request above
// the rate limit is sent again a second later.

const connections = 8;
const { origin, credentials, subjects } = asTarget(workerData);
const rows = routes(origin);
const inputs = attacks(subjects);
const statuses = new Map<number, number>();
let session = "";
let isStopped = false;
let next = 0;

/** The thread is started by `startHostileUser` only, with a target. */
function asTarget(value: unknown): HostileTarget {
  return value as HostileTarget;
}

/** Returns the requests of a key, without those that end what the others are about. */
function attacks(about: Subjects): WorstInput[] {
  const byKey = new Set(rows.filter((row) => row.caller === "user" && !row.sessionOnly).map((row) => row.name));
  const isAttack = ({ operation }: WorstInput): boolean => operation === "mcp" || byKey.has(operation);
  return ownInputs(about).filter((input) => isAttack(input) && input.operation !== "documents.delete");
}

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

async function attack(): Promise<void> {
  while (!isStopped) {
    const input = inputs[next % inputs.length];
    next += 1;
    if (input === undefined) return;
    const row = rows.find(({ name }) => name === input.operation);
    const { status } = await send(prepare(origin, row, input, credentials, session));
    count(status);
    if (status === 429) await pause(1_000);
  }
}

parentPort?.on("message", () => {
  isStopped = true;
});
await Promise.all([obtainSession(), ...Array.from({ length: connections }, attack)]);
parentPort?.postMessage(statuses);
parentPort?.close();
