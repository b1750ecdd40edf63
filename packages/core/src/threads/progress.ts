import { threadId } from "node:worker_threads";

/** Shared with the thread that runs a task: which thread it is, and its clocks when the task began. */
export type Progress = Float64Array<SharedArrayBuffer>;

const fields = { thread: 0, cpuMs: 1, startedAt: 2 } as const;

export function newProgress(): Progress {
  return new Float64Array(new SharedArrayBuffer(Object.keys(fields).length * Float64Array.BYTES_PER_ELEMENT));
}

/** Called by the thread when it begins a task. The thread's id is written last: it says that the rest is there. */
export function markStarted(progress: Progress): void {
  const { user, system } = process.threadCpuUsage();
  progress[fields.cpuMs] = (user + system) / 1_000;
  progress[fields.startedAt] = Date.now();
  progress[fields.thread] = threadId;
}

/** Where a task runs and since when; undefined while it waits for a thread to start. */
export function readProgress(progress: Progress): { thread: number; cpuMs: number; startedAt: number } | undefined {
  const thread = progress[fields.thread] ?? 0;
  if (thread === 0) return undefined;
  return { thread, cpuMs: progress[fields.cpuMs] ?? 0, startedAt: progress[fields.startedAt] ?? 0 };
}
