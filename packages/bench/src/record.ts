import { createApi } from "@kb/api";
import { connect } from "@kb/db";
import { clientIp } from "@kb/http";
import { createLifecycle, createLogger, processLimiter } from "@kb/runtime";
import type { Scenario } from "./scenarios.ts";

/** One statement as the driver received it. */
export type Statement = { readonly text: string; readonly values: readonly unknown[] };

/** The statements that one request ran, and its response. */
export type Recording = {
  readonly method: string;
  readonly path: string;
  /** Includes the question mark; empty if there is no query. */
  readonly search: string;
  readonly statements: readonly Statement[];
  readonly answer: { readonly status: number; readonly headers: Record<string, string>; readonly body: string };
};

const unlimitedPerMinute = 100_000_000;

/** Runs each scenario against the service in this process, and records its statements and its response. */
export async function record(url: string, key: string, list: readonly Scenario[]): Promise<Recording[]> {
  const seen: Statement[] = [];
  const database = connect({ url, onQuery: (text, values) => seen.push({ text, values: values.map(toJsonValue) }) });
  const app = createApi({
    service: { database, clock: { now: () => new Date() }, appUrl: "http://localhost:3000" },
    limiter: processLimiter(),
    logger: createLogger({ app: "bench", level: "silent" }),
    lifecycle: createLifecycle(),
    clientIp: clientIp([]),
    perMinute: unlimitedPerMinute,
  });
  const recordings: Recording[] = [];
  for (const [n, scenario] of list.entries()) {
    const sendRequest = async (turn: number): Promise<Response> => {
      const body = scenario.body?.(turn);
      const headers = { authorization: `Bearer ${key}`, ...(body ? { "content-type": "application/json" } : {}) };
      return app.request(scenario.path, { method: scenario.method, headers, ...(body ? { body } : {}) });
    };
    // The first request also writes the key's time of last use, which an ordinary request does not.
    await (await sendRequest(-1 - 2 * n)).text();
    seen.length = 0;
    const answer = await sendRequest(-2 - 2 * n);
    const body = await answer.text();
    if (!answer.ok) throw new Error(`${scenario.name}: ${answer.status} ${body}`);
    const { pathname, search } = new URL(scenario.path, "http://localhost");
    recordings.push({
      method: scenario.method,
      path: pathname,
      search,
      statements: [...seen],
      answer: { status: answer.status, headers: Object.fromEntries(answer.headers), body },
    });
  }
  await database.close();
  return recordings;
}

/** Converts a value to one that JSON can carry to the floor. */
function toJsonValue(value: unknown): unknown {
  if (value instanceof Uint8Array) return { hex: Buffer.from(value).toString("hex") };
  return typeof value === "bigint" ? String(value) : value;
}
