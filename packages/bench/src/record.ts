import { createApi } from "@kb/api";
import { connect } from "@kb/db";
import { clientIp, createLifecycle, createLogger, processLimiter } from "@kb/http";
import type { Scenario } from "./scenarios.ts";

/** One statement as the driver was given it. */
export type Statement = { readonly text: string; readonly values: readonly unknown[] };

/** What one request did: the statements that it ran, and the answer that it gave. */
export type Recording = {
  readonly method: string;
  readonly path: string;
  /** With its question mark; empty where there is none. */
  readonly search: string;
  readonly statements: readonly Statement[];
  readonly answer: { readonly status: number; readonly headers: Record<string, string>; readonly body: string };
};

const plenty = 100_000_000;

/** Runs each scenario once against the service in this process, and notes its statements and its answer. */
export async function record(url: string, key: string, list: readonly Scenario[]): Promise<Recording[]> {
  const seen: Statement[] = [];
  const database = connect({ url, onQuery: (text, values) => seen.push({ text, values: values.map(plain) }) });
  const app = createApi({
    service: { database, clock: { now: () => new Date() }, appUrl: "http://localhost:3000" },
    limiter: processLimiter(),
    logger: createLogger({ app: "bench", level: "silent" }),
    lifecycle: createLifecycle(),
    clientIp: clientIp([]),
    perMinute: plenty,
  });
  const recordings: Recording[] = [];
  for (const [n, scenario] of list.entries()) {
    const ask = async (turn: number): Promise<Response> => {
      const body = scenario.body?.(turn);
      const headers = { authorization: `Bearer ${key}`, ...(body ? { "content-type": "application/json" } : {}) };
      return app.request(scenario.path, { method: scenario.method, headers, ...(body ? { body } : {}) });
    };
    // The first one writes when the key was used; it is not part of an ordinary request.
    await (await ask(-1 - 2 * n)).text();
    seen.length = 0;
    const answer = await ask(-2 - 2 * n);
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

/** Values travel to the floor as JSON. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return { hex: Buffer.from(value).toString("hex") };
  return typeof value === "bigint" ? String(value) : value;
}
