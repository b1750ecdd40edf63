import { fork } from "node:child_process";
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

/** The lowest priority: a client has a machine of its own, and must take no processor from the service to build its bodies. */
const niceness = "19";

/** Starts a user who sends the worst known inputs, at the rate that the limits allow. */
export function startHostileUser(target: HostileTarget): HostileUser {
  const child = fork(new URL("./hostile-process.ts", import.meta.url), {
    serialization: "advanced",
    execPath: "nice",
    execArgv: ["-n", niceness, process.execPath],
  });
  const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<number, number>>();
  child.once("message", (statuses) => resolve(asStatuses(statuses)));
  child.once("error", reject);
  child.once("exit", (code) => reject(new Error(`the hostile user ended with ${code}`)));
  // A process that fails is reported when it is stopped.
  promise.catch(() => {});
  child.send(target);
  return {
    stop: () => {
      if (child.connected) child.send("stop");
      return promise;
    },
  };
}

/** The process sends how often each status was the answer. */
const asStatuses = (message: unknown): ReadonlyMap<number, number> => message as ReadonlyMap<number, number>;
