import { Worker } from "node:worker_threads";

/** The requests that another client sends meanwhile. */
export type ProbeTarget = {
  readonly origin: string;
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly everyMs: number;
};

/** The response time of one probe. `status` 0 is a failed connection. */
export type ProbeSample = {
  readonly at: number;
  readonly path: string;
  readonly ms: number;
  readonly status: number;
};

/** Probes that run until they are stopped. */
export type Probe = { stop(): Promise<readonly ProbeSample[]> };

/** Sends each path at an even rate from a thread of its own. */
export function startProbe(target: ProbeTarget): Probe {
  const thread = new Worker(new URL("./probe-thread.ts", import.meta.url), { workerData: target });
  return {
    stop: () => {
      const { promise, resolve, reject } = Promise.withResolvers<readonly ProbeSample[]>();
      thread.once("message", resolve);
      thread.once("error", reject);
      thread.postMessage("stop");
      return promise;
    },
  };
}

/** Returns the value below which a share of the values are. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
