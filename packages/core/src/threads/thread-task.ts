import { setPriority } from "node:os";
import { type ErrorCode, type ErrorDetail, ServiceError } from "../errors.ts";
import { freeMemoryAfterAnswer, keepMemory } from "./free-memory.ts";
import { markStarted, type Progress } from "./progress.ts";

/** The message to a thread: the name and the input of a task, and where to report its start. */
export type ThreadRequest = { readonly name: string; readonly input: unknown; readonly progress: Progress };

/** The answer of a thread. An error of the service is data, because an error that crosses threads loses its class. */
export type ThreadAnswer = { readonly cpuMs: number } & (
  | { readonly value: unknown }
  | { readonly code: ErrorCode; readonly message: string; readonly details: readonly ErrorDetail[] | undefined }
);

/** Pure functions by their names: they take and return data that can be copied between threads. */
export type ThreadTasks = Readonly<Record<string, (input: never) => unknown>>;

/** The name of the task that does nothing. */
export const noTask = "";

// Requests that wait for the event loop come first, with three times the share of a processor. At 10 it is nine times: threads then get
// almost nothing of a machine that other programs keep busy. On Linux this is the priority of the calling thread only.
const niceness = 5;

/**
 * Makes the default export of a module of tasks.
 * @param before called with the name of each task before it runs
 */
export function serveTasks(
  tasks: ThreadTasks,
  before?: (name: string) => void,
): (request: ThreadRequest) => ThreadAnswer {
  lowerPriority();
  return ({ name, input, progress }) => {
    if (name === noTask) return { value: undefined, cpuMs: 0 };
    markStarted(progress);
    keepMemory();
    before?.(name);
    const startedWith = process.threadCpuUsage();
    const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
    if (task === undefined) throw new Error(`no task is named ${name}`);
    try {
      const value = task(asInputOf(task, input));
      return { value, cpuMs: cpuMsSince(startedWith) };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { code: error.code, message: error.message, details: error.details, cpuMs: cpuMsSince(startedWith) };
    } finally {
      freeMemoryAfterAnswer();
    }
  };
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Returns the value of an answer. @throws {ServiceError} the one that the task threw */
export function unwrapAnswer(answer: ThreadAnswer): unknown {
  if ("value" in answer) return answer.value;
  const { code, message, details } = answer;
  throw new ServiceError(code, message, details === undefined ? {} : { details });
}

/** The pool sends a task what its typed caller passed: `offload` is the only caller. */
const asInputOf = (_task: (input: never) => unknown, input: unknown): never => input as never;

function lowerPriority(): void {
  try {
    setPriority(niceness);
  } catch {
    // Where the system refuses, threads compete as equals.
  }
}
