import { Agent, request } from "node:http";
import type { Scenario } from "./scenarios.ts";

/** Where to send requests. */
export type Target = { readonly port: number; readonly key: string };

/** What one slice of load measured: completed requests, so many a second, and their latencies in milliseconds. */
export type Slice = { readonly count: number; readonly perSecond: number; readonly latencies: readonly number[] };

/** So many requests are under way at any time. */
const concurrency = 8;

/**
 * Sends requests for so many milliseconds, the next as soon as one ends (closed loop); `from` numbers the first.
 * @throws {Error} when one is not answered with 2xx.
 */
export async function slice(target: Target, scenario: Scenario, from: number, durationMs: number): Promise<Slice> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const latencies: number[] = [];
  let next = from;
  const started = performance.now();
  const worker = async (): Promise<void> => {
    while (performance.now() - started < durationMs) {
      const n = next;
      next += 1;
      const began = performance.now();
      await send(agent, target, scenario, n);
      latencies.push(performance.now() - began);
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, worker));
  } finally {
    agent.destroy();
  }
  const count = latencies.length;
  return { count, perSecond: (count * 1000) / (performance.now() - started), latencies };
}

/** Sends the n-th request of a scenario. @throws {Error} when it is not answered with 2xx. */
export function send(agent: Agent, { port, key }: Target, scenario: Scenario, n: number): Promise<void> {
  const body = scenario.body?.(n);
  const headers = {
    authorization: `Bearer ${key}`,
    ...scenario.headers,
    ...(body === undefined
      ? {}
      : { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }),
  };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const call = request(
    { agent, port, host: "127.0.0.1", method: scenario.method, path: scenario.pathOf?.(n) ?? scenario.path, headers },
    (response) => {
      const status = response.statusCode ?? 0;
      response.on("error", reject);
      response.on("end", () =>
        status >= 200 && status < 300 ? resolve() : reject(new Error(`${scenario.name}: status ${status}`)),
      );
      response.resume();
    },
  );
  call.on("error", reject);
  call.end(body);
  return promise;
}
