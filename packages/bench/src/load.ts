import { Agent, request } from "node:http";
import type { Scenario } from "./scenarios.ts";

/** The server and the credential of requests. */
export type Target = { readonly port: number; readonly key: string };

/** The figures of one slice of load: completed requests, requests per second, and latencies in milliseconds. */
export type Slice = { readonly count: number; readonly perSecond: number; readonly latencies: readonly number[] };

/** The number of concurrent requests, unless a benchmark has another. */
const defaultConcurrency = 8;

/**
 * Sends requests for `durationMs`, each as soon as another ends (closed loop). `from` is the number of the first.
 * @throws {Error} if a response is not 2xx
 */
export async function slice(
  target: Target,
  scenario: Scenario,
  from: number,
  durationMs: number,
  concurrency = defaultConcurrency,
): Promise<Slice> {
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

/** Sends the n-th request of a scenario. @throws {Error} if the response is not 2xx */
export function send(agent: Agent, { port, key }: Target, scenario: Scenario, n: number): Promise<void> {
  const body = scenario.body?.(n);
  const headers = {
    authorization: `Bearer ${key}`,
    ...scenario.headers,
    ...scenario.headersOf?.(n),
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
