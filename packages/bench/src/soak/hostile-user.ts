import { Worker } from "node:worker_threads";
import type { Credentials } from "../worst/subjects.ts";
import type { Subjects } from "../worst/worst-input.ts";

/** The service that the hostile user attacks, and what the attacks are about. */
export type HostileTarget = {
  readonly origin: string;
  readonly credentials: Credentials;
  readonly subjects: Subjects;
};

/** A user who sends the worst known inputs until they are stopped. */
export type HostileUser = {
  /** Returns how often each status was the answer. */
  stop(): Promise<ReadonlyMap<number, number>>;
};

/** Starts a user who sends the worst known inputs, at the rate that the limits allow. */
export function startHostileUser(target: HostileTarget): HostileUser {
  const thread = new Worker(new URL("./hostile-thread.ts", import.meta.url), { workerData: target });
  const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<number, number>>();
  thread.once("message", resolve);
  thread.once("error", reject);
  // A thread that fails is reported when it is stopped.
  promise.catch(() => {});
  return {
    stop: () => {
      thread.postMessage("stop");
      return promise;
    },
  };
}
