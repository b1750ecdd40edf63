import { Agent, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";
import type { ProbeSample, ProbeTarget } from "./probe.ts";

// Sends the probes from an event loop of its own, so that building a worst request delays none of them.

const { origin, paths, headers, everyMs } = asTarget(workerData);
const agent = new Agent({ keepAlive: true, maxSockets: 100 });
const samples: ProbeSample[] = [];

/** The thread is started by `startProbe` only, with a target. */
function asTarget(value: unknown): ProbeTarget {
  return value as ProbeTarget;
}

function probe(path: string): void {
  const at = Date.now();
  const started = performance.now();
  const finish = (status: number): void => {
    samples.push({ at, path, ms: performance.now() - started, status });
  };
  const call = request(`${origin}${path}`, { agent, headers }, (response) => {
    response.resume();
    response.on("end", () => finish(response.statusCode ?? 0));
    response.on("error", () => finish(0));
  });
  call.setTimeout(30_000, () => call.destroy());
  call.on("error", () => finish(0));
  call.end();
}

const timer = setInterval(() => paths.forEach(probe), everyMs);

parentPort?.on("message", () => {
  clearInterval(timer);
  setTimeout(() => {
    parentPort?.postMessage(samples);
    agent.destroy();
    parentPort?.close();
  }, 1_000);
});
