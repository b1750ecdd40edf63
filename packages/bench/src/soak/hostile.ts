import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { admin, type Service } from "@kb/core";
import { connect, startThrowAwayCluster } from "@kb/db";
import { quantile } from "../worst/probe.ts";
import { fillSubjects } from "../worst/subjects.ts";
import { markdownTable } from "../write-results.ts";
import { fillSoak } from "./fill-soak.ts";
import { type HostileTarget, startHostileUser } from "./hostile-user.ts";
import { residentBytes } from "./process-state.ts";
import { type SoakData, sender, type Tally } from "./requests.ts";
import { sendEvenly } from "./send-evenly.ts";
import { type RunningService, startService } from "./service.ts";

// `soak:hostile --minutes 30` runs `kb start` with its default limits under the requests of 20 users. In every second phase,
// another user sends the worst known inputs at the limits, with a key and with the session of a browser: for `--minutes` in all, after
// `--baseline` minutes in all without. Ends with 1 if the p95 of the users is more than twice its value in the phases before, or a
// request fails. The hostile user fills the team for `--fill` minutes first, so that all phases have the same data. The lists of
// the users also contain what that user creates. They ask for the fields that a list shows; with `--texts`, for whole
// documents: then a list is as large as the last documents that were created, and the phases do not compare.

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    baseline: { type: "string", default: "8" },
    rounds: { type: "string", default: "2" },
    fill: { type: "string", default: "2" },
    texts: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);
const secondsOf = (minutes: string): number => (Number(minutes) * 60) / rounds;
const listedFields = "id,title,collectionId,parentDocumentId,tags,revision,updatedAt";
const userCount = 20;
/** Each user stays below the limit of 100 requests a minute. */
const perSecond = (userCount * 80) / 60;
const most = 2;

type Phase = { readonly tally: Tally; readonly statuses: ReadonlyMap<number, number>; readonly residentBytes: number };

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kb-hostile-"));
  const cluster = await startThrowAwayCluster();
  try {
    const variables = { DATABASE_URL: cluster.url, RATE_LIMIT_PER_MINUTE: "100" };
    const service = await startService(folder, folder, 1, variables);
    try {
      await Promise.race([measure(service, cluster.url), endedBySignal()]);
    } finally {
      await service.stop();
    }
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Rejects on SIGINT and SIGTERM, so that the service and its database are stopped before this program ends. */
function endedBySignal(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => reject(new Error(`ended by ${signal}`)));
  return promise;
}

async function measure(service: RunningService, databaseUrl: string): Promise<void> {
  const sizes = { largeDocuments: 20, treeDocuments: 4_000, terms: 120_000 };
  const appUrl = service.origin.replace("127.0.0.1", "localhost");
  const { subjects, credentials } = await fillSubjects(databaseUrl, appUrl, service.email, sizes);
  const keys = await createUsers(databaseUrl, appUrl);
  const filled = await fillSoak(service.origin, keys);
  const data = values.texts ? filled : { ...filled, listedFields };
  const target = { origin: service.origin, credentials, subjects };
  await runPhase(service.origin, keys, data, Number(values.fill) * 60, service.pid, target);
  console.log(`${new Date().toISOString()}: filled`);
  const alone: Phase[] = [];
  const attacked: Phase[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await runPhase(service.origin, keys, data, secondsOf(values.baseline), service.pid));
    attacked.push(await runPhase(service.origin, keys, data, secondsOf(values.minutes), service.pid, target));
    print(alone, attacked);
  }
}

/** Creates the users; returns a key of each. */
async function createUsers(databaseUrl: string, appUrl: string): Promise<string[]> {
  const database = connect({ url: databaseUrl });
  try {
    const service: Service = { database, clock: { now: () => new Date() }, appUrl };
    const keys: string[] = [];
    for (let n = 0; n < userCount; n += 1) {
      const userEmail = `good-${n}@example.com`;
      await admin.createUser(service, { email: userEmail, name: `Good ${n}`, group: "Editors" });
      keys.push((await admin.createApiKey(service, { userEmail, scopes: ["read", "write"] })).key);
    }
    return keys;
  } finally {
    await database.close();
  }
}

async function runPhase(
  origin: string,
  keys: readonly string[],
  data: SoakData,
  seconds: number,
  pid: number,
  target?: HostileTarget,
): Promise<Phase> {
  const hostile = target === undefined ? undefined : startHostileUser(target);
  const { send, tally, close } = sender(origin, keys, data);
  let resident = 0;
  const sampling = setInterval(() => {
    resident = Math.max(resident, residentBytes(pid));
  }, 100);
  try {
    await sendEvenly(send, perSecond, seconds);
  } finally {
    clearInterval(sampling);
    close();
  }
  const statuses = (await hostile?.stop()) ?? new Map<number, number>();
  return { tally, statuses, residentBytes: resident };
}

function describe(phases: readonly Phase[]): { p95: number; text: string } {
  const times = phases.flatMap(({ tally }) => [...tally.responseMs.values()].flat());
  const failed = phases.flatMap(({ tally }) => [...tally.failed].map(([what, count]) => `${count} × ${what}`));
  const resident = Math.max(...phases.map((phase) => phase.residentBytes)) / 1024 ** 2;
  const p95 = quantile(times, 0.95);
  const text =
    `${times.length} responses, p50 ${quantile(times, 0.5).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, p99 ` +
    `${quantile(times, 0.99).toFixed(1)} ms; failed: ${failed.join("; ") || "none"}; at most ${resident.toFixed(0)} MB`;
  return { p95, text };
}

/** Returns the number and the quantiles of the responses of each route, in milliseconds, without the hostile user and with them. */
function tableOf(alone: readonly Phase[], attacked: readonly Phase[]): string {
  const routes = new Set([...alone, ...attacked].flatMap(({ tally }) => [...tally.responseMs.keys()]));
  const cellOf = (phases: readonly Phase[], route: string): string => {
    const times = phases.flatMap(({ tally }) => tally.responseMs.get(route) ?? []);
    const parts = [0.5, 0.95].map((part) => quantile(times, part).toFixed(1));
    return `${times.length}: ${parts.join(", ")}`;
  };
  const rows = [...routes].map((route) => [route, cellOf(alone, route), cellOf(attacked, route)]);
  return markdownTable(["", "without: p50, p95", "with: p50, p95"], rows);
}

function print(alone: readonly Phase[], attacked: readonly Phase[]): void {
  for (const [round, phase] of alone.entries()) {
    console.log(`round ${round + 1} without: ${describe([phase]).text}`);
    console.log(`round ${round + 1} with: ${describe(attacked.slice(round, round + 1)).text}`);
  }
  console.log(tableOf(alone, attacked));
  const before = describe(alone);
  const during = describe(attacked);
  const answers = new Map<number, number>();
  for (const { statuses } of attacked)
    for (const [status, count] of statuses) answers.set(status, (answers.get(status) ?? 0) + count);
  const factor = during.p95 / before.p95;
  console.log(`without the hostile user: ${before.text}`);
  console.log(`with the hostile user: ${during.text}`);
  console.log(`the hostile user got ${[...answers].map(([status, count]) => `${count} × ${status}`).join(", ")}`);
  console.log(`p95: × ${factor.toFixed(2)} (target ≤ ${most})`);
  const hasFailed = attacked.some(({ tally }) => tally.failed.size > 0);
  if (factor > most || hasFailed) process.exitCode = 1;
}

await main();
