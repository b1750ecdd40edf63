import { setTimeout as pause } from "node:timers/promises";
import { routes } from "@kb/api";
import { codesOf, type Row, statusOf } from "@kb/http";
import { residentBytes } from "../soak/process-state.ts";
import { type Contention, watchContention } from "./contention.ts";
import { type ProbeSample, startProbe } from "./probe.ts";
import { beginSession, type Outcome, prepare, sendAtOnce } from "./send.ts";
import { type Credentials, fillSubjects, type Sizes } from "./subjects.ts";
import type { WorstInput } from "./worst-input.ts";
import { worstInputs } from "./worst-inputs.ts";

/** A running service and the database that it has just set up. */
export type Target = {
  readonly origin: string;
  readonly pid: number;
  readonly databaseUrl: string;
  /** The address of its admin. */
  readonly email: string;
};

/** The result of one request. */
export type WorstResult = Outcome & {
  readonly input: WorstInput;
  /** Whether the description of the API names the status. */
  readonly isDocumented: boolean;
  /** The slowest probe that was sent meanwhile, in milliseconds. */
  readonly slowestProbeMs: number;
  readonly residentBytes: number;
  readonly from: number;
  readonly to: number;
};

/** The results of a run. */
export type WorstRun = {
  readonly results: readonly WorstResult[];
  readonly probes: readonly ProbeSample[];
  readonly mostResidentBytes: number;
  readonly contention: Contention;
};

const probeEveryMs = 50;
const sampleEveryMs = 25;
const settleMs = 150;

type Sent = Outcome & { readonly input: WorstInput; readonly from: number; readonly to: number };

/** The requests of a run, and what it reports. */
export type RunOptions = {
  readonly isShort: boolean;
  /** Selects some of the requests. */
  readonly isWanted?: (input: WorstInput) => boolean;
  /** Receives each outcome. */
  readonly report?: (sent: Outcome & { readonly input: WorstInput }) => void;
};

/** Sends every worst input, one after the other, while another client sends probes. */
export async function runWorst(target: Target, sizes: Sizes, options: RunOptions): Promise<WorstRun> {
  const { isShort, isWanted = () => true, report = () => {} } = options;
  const { origin, pid } = target;
  const rows = routes(origin);
  const filled = await fillSubjects(target.databaseUrl, appUrlOf(origin), target.email, sizes);
  const { subjects, credentials } = filled;
  const session = await beginSession(origin, credentials);
  const paths = ["/api/health?live=1", `/api/v1/documents/${filled.smallDocumentId}`];
  const probe = startProbe({ origin, paths, headers: credentials.reader, everyMs: probeEveryMs });
  const memory: { at: number; bytes: number }[] = [];
  const sampling = setInterval(() => memory.push({ at: Date.now(), bytes: residentBytes(pid) }), sampleEveryMs);
  const watch = watchContention();
  const sent: Sent[] = [];
  try {
    await pause(1_000);
    for (const input of worstInputs(rows, subjects, isShort).filter(isWanted)) {
      const outcome = await sendOne(origin, rowOf(rows, input), input, credentials, session);
      report(outcome);
      sent.push(outcome);
      await pause(settleMs);
    }
  } finally {
    clearInterval(sampling);
  }
  const contention = watch.stop();
  const probes = await probe.stop();
  const greatest = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), 0);
  const during = <T extends { at: number }>(samples: readonly T[], from: number, to: number): T[] =>
    samples.filter(({ at }) => at >= from - probeEveryMs && at <= to + probeEveryMs);
  return {
    probes,
    contention,
    mostResidentBytes: greatest(memory.map(({ bytes }) => bytes)),
    results: sent.map(({ from, to, ...outcome }) => ({
      ...outcome,
      from,
      to,
      isDocumented: isDocumented(rowOf(rows, outcome.input), outcome),
      slowestProbeMs: greatest(during(probes, from, to).map(({ ms }) => ms)),
      residentBytes: greatest(during(memory, from, to).map(({ bytes }) => bytes)),
    })),
  };
}

/** Returns the public origin of a service without APP_URL, which its pages send as their origin. */
const appUrlOf = (origin: string): string => origin.replace("127.0.0.1", "localhost");

async function sendOne(
  origin: string,
  row: Row | undefined,
  input: WorstInput,
  credentials: Credentials,
  session: string,
): Promise<Sent> {
  const prepared = prepare(origin, row, input, credentials, session);
  const from = Date.now();
  const outcome = await sendAtOnce(prepared, input.copies ?? 1);
  return { ...outcome, input, from, to: Date.now() };
}

function rowOf(rows: readonly Row[], { operation }: WorstInput): Row | undefined {
  const row = rows.find(({ name }) => name === operation);
  if (row === undefined && operation !== "mcp") throw new Error(`no route has the operation ${operation}`);
  return row;
}

/** Statuses of the MCP endpoint: JSON-RPC answers, faults of the body, and the limits. */
const mcpStatuses: ReadonlySet<number> = new Set([200, 202, 400, 413, 422, 429]);

/**
 * Whether the description of the API names a status. An outage or a defect is no answer, although it is described; of many requests at
 * once, those beyond the bounds of the queue get 503.
 */
function isDocumented(row: Row | undefined, { status, input }: Pick<Sent, "status" | "input">): boolean {
  if (row === undefined) return mcpStatuses.has(status);
  if (status >= 500) return status === 503 && input.copies !== undefined;
  const described = new Set<number>([...row.statuses, ...codesOf(row).map((code) => statusOf[code])]);
  return described.has(status);
}
