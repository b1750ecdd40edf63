import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Actor } from "@kb/auth";
import { type ErrorCode, ServiceError } from "../errors.ts";

/** A call of an operation on another instance. */
export type InstanceCall = {
  readonly id: number;
  readonly name: string;
  readonly actor: Actor;
  readonly input: object;
};

/** Its answer, or its error. */
export type InstanceReply = {
  readonly id: number;
  readonly answer?: unknown;
  readonly error?: { readonly code: ErrorCode; readonly message: string };
};

/** Another instance of the service on the same database, in a thread. */
export type OtherInstance = {
  /** @throws {ServiceError} as the operation does */
  readonly invoke: (name: string, actor: Actor, input: object) => Promise<unknown>;
  readonly close: () => Promise<void>;
};

/** Starts another instance, which shares nothing with this process but the database. Close it before the database is dropped. */
export function otherInstance(url: string, appUrl: string): OtherInstance {
  const thread = new Worker(new URL("./other-instance-thread.ts", import.meta.url), { workerData: { url, appUrl } });
  const waiting = new Map<number, (reply: InstanceReply) => void>();
  let calls = 0;
  thread.on("message", (reply: InstanceReply) => waiting.get(reply.id)?.(reply));
  return {
    invoke: async (name, actor, input) => {
      calls += 1;
      const id = calls;
      const { promise, resolve } = Promise.withResolvers<InstanceReply>();
      waiting.set(id, resolve);
      thread.postMessage({ id, name, actor, input } satisfies InstanceCall);
      const { answer, error } = await promise;
      waiting.delete(id);
      if (error !== undefined) throw new ServiceError(error.code, error.message);
      return answer;
    },
    close: async () => {
      const ended = once(thread, "exit");
      thread.postMessage("close");
      await ended;
    },
  };
}
