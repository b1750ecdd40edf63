import type { Worker } from "node:worker_threads";
import { addCpuTime } from "@kb/telemetry";
import { Piscina } from "piscina";
import { ServiceError } from "../errors.ts";
import { FairQueue } from "./fair-queue.ts";
import { newProgress, type Progress, readProgress } from "./progress.ts";
import { threadCount } from "./thread-count.ts";
import { ThreadOwners } from "./thread-owners.ts";
import { noTask, type ThreadAnswer, type ThreadRequest, unwrapAnswer } from "./thread-task.ts";

/** Bounds of the pool and of one task. */
export type ThreadLimits = {
  readonly threads: number;
  /** Processor time of one task. */
  readonly cpuMs: number;
  /**
   * Wall time of one task from its start. A task that exceeds only this one ran on a machine whose processors are busy
   * elsewhere: the client may try it again.
   */
  readonly wallMs: number;
  /** Heap of one thread. */
  readonly heapMb: number;
  /**
   * Time for which a task waits, measured in the processor time that each thread spends on others meanwhile: a machine whose
   * processors are busy elsewhere refuses nobody.
   */
  readonly waitMs: number;
  /** Tasks that wait for a thread, in all and of one user. */
  readonly waiting: number;
  readonly waitingPerOwner: number;
  /** Time without a task after which threads end, all but one. */
  readonly idleMs: number;
  /** Time without a task after which that one ends too. */
  readonly lastIdleMs: number;
};

export const defaultThreadLimits: ThreadLimits = {
  threads: threadCount,
  cpuMs: 2_000,
  wallMs: 10_000,
  heapMb: 256,
  // Together with the time of the task itself, a request ends within 5 s.
  waitMs: 2_500,
  waiting: 64,
  waitingPerOwner: 16,
  // Each thread holds some 60 MB. To start one takes 0.15 s of processor time, and its first tasks as much again.
  idleMs: 8_000,
  lastIdleMs: 30_000,
};

// V8's default of 192 MB is mostly garbage, because a task rarely fills it twice.
const youngHeapMb = 24;
const checkEveryMs = 100;
const retryAfterSeconds = 2;

/** A task that waits. `spentMs` is the processor time that tasks had taken when it came. */
type Waiting = {
  readonly owner: string;
  readonly spentMs: number;
  readonly admit: () => void;
  readonly refuse: (error: ServiceError) => void;
};

/**
 * Runs the tasks of one module in worker threads: fair between owners, bounded in number, in processor time and in memory. One
 * thread is left to the others while several owners have tasks, because a task that runs is not interrupted for theirs.
 * Threads start on demand, end after 8 s without work, the last one after 30 s, and keep no process alive.
 */
export class ThreadPool {
  readonly #limits: ThreadLimits;
  readonly #pool: Piscina<ThreadRequest, ThreadAnswer>;
  readonly #queue = new FairQueue<Waiting>();
  readonly #owners = new ThreadOwners();
  /** Processor time that all tasks have taken. */
  #spentMs = 0;
  #warmedAt = Number.NEGATIVE_INFINITY;
  /** Keeps one thread. */
  #keeping: NodeJS.Timeout | undefined;
  #touched: Promise<unknown> = Promise.resolve();

  /** @param module the file whose default export takes a `ThreadRequest` */
  constructor(module: URL, limits: ThreadLimits = defaultThreadLimits) {
    this.#limits = limits;
    this.#pool = new Piscina({
      filename: module.href,
      minThreads: 0,
      maxThreads: limits.threads,
      idleTimeout: limits.idleMs,
      // A thread that waits in its event loop can free memory between two tasks.
      atomics: "disabled",
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: youngHeapMb },
      // A thread needs nothing of the environment, which holds the installation's secrets.
      env: {},
    });
    // A thread can run out of memory when its task has ended already. The pool replaces it; without a listener, the error
    // would end the process, as any other does.
    this.#pool.on("error", (error) => {
      if (!isOutOfMemory(error)) throw error;
    });
  }

  /** Tasks that are running or waiting. */
  get load(): number {
    return this.#owners.running + this.#queue.size;
  }

  /**
   * Runs a task and returns its result.
   * @param owner the user who pays: tasks of different owners take turns
   * @throws {ServiceError} `too_complex` over the limit of processor time or memory, `unavailable` where too many tasks wait,
   *   this one has waited for too long, or its thread hardly gets a processor
   */
  async run(owner: string, name: string, input: unknown): Promise<unknown> {
    await this.#admit(owner);
    try {
      // Else the pool would start another thread.
      await this.#touched;
      const answer = await this.#supervised({ name, input, progress: newProgress() });
      this.#spend(answer.cpuMs);
      return unwrapAnswer(answer);
    } finally {
      this.#owners.free(owner);
      this.#handOut();
      if (this.load === 0) this.#keepOne();
    }
  }

  /**
   * Starts a thread for a task that is expected, and keeps one for as long as this is called again within 15 s: a start takes longer
   * than most tasks. Does nothing while tasks run.
   */
  keepWarm(): void {
    const now = performance.now();
    if (this.load > 0 || now - this.#warmedAt < this.#limits.lastIdleMs / 2) return;
    this.#warmedAt = now;
    this.#touch();
    this.#keepOne();
  }

  async close(): Promise<void> {
    clearInterval(this.#keeping);
    await this.#pool.destroy();
  }

  /** Keeps one idle thread for longer than the others: the pool hands each task to the first of its threads that is free. */
  #keepOne(): void {
    const { idleMs, lastIdleMs } = this.#limits;
    const until = performance.now() + lastIdleMs - idleMs;
    clearInterval(this.#keeping);
    this.#keeping = setInterval(() => {
      const isOver = this.load > 0 || this.#pool.threads.length === 0 || performance.now() > until;
      if (isOver) clearInterval(this.#keeping);
      else this.#touch();
    }, idleMs / 2).unref();
  }

  /** Gives a thread nothing to do. */
  #touch(): void {
    // Without a thread, the next task starts one.
    this.#touched = this.#pool.run({ name: noTask, input: undefined, progress: newProgress() }).catch(() => {});
  }

  /** Waits for a free thread, which the caller then holds until the owner frees it. */
  async #admit(owner: string): Promise<void> {
    const { threads, waiting, waitingPerOwner } = this.#limits;
    this.#owners.note(owner);
    if (this.#queue.sizeOf(owner) === 0 && this.#owners.mayTake(owner, threads)) {
      this.#owners.take(owner);
      return;
    }
    if (this.#queue.size >= waiting || this.#queue.sizeOf(owner) >= waitingPerOwner) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#queue.push(owner, { owner, spentMs: this.#spentMs, admit: resolve, refuse: reject });
    // The others may have become inactive.
    this.#handOut();
    await promise;
  }

  /** Hands the free threads to the next tasks that have not waited for too long. */
  #handOut(): void {
    const { threads, waitMs } = this.#limits;
    const shift = (): Waiting | undefined => this.#queue.shift((waiting) => this.#owners.mayTake(waiting, threads));
    for (let next = shift(); next !== undefined; next = shift()) {
      if (this.#spentMs - next.spentMs > waitMs * threads) {
        next.refuse(busy());
        continue;
      }
      this.#owners.take(next.owner);
      next.admit();
    }
  }

  /** Counts processor time, also for the request that caused it. */
  #spend(ms: number): void {
    this.#spentMs += ms;
    addCpuTime(ms);
  }

  /** Runs a task and ends its thread when it exceeds a limit. */
  async #supervised(request: ThreadRequest): Promise<ThreadAnswer> {
    const deadline = new AbortController();
    const use: Use = { cpuMs: 0 };
    const timer = setInterval(() => {
      void this.#measure(request.progress, use).then(() => {
        if (use.exceeded !== undefined) deadline.abort();
      });
    }, checkEveryMs);
    try {
      return await this.#pool.run(request, { signal: deadline.signal });
    } catch (error) {
      if (use.exceeded === undefined && !isOutOfMemory(error)) throw error;
      this.#spend(use.exceeded === undefined ? this.#limits.cpuMs : use.cpuMs);
      throw use.exceeded === "wallMs" ? busy() : tooComplex(this.#limits);
    } finally {
      clearInterval(timer);
    }
  }

  /** Notes the time that a running task has taken, and the limit that it exceeds. */
  async #measure(progress: Progress, use: Use): Promise<void> {
    const started = readProgress(progress);
    if (started === undefined) return;
    // A thread that hardly gets a processor also answers late how much it had.
    if (Date.now() - started.startedAt > this.#limits.wallMs) use.exceeded ??= "wallMs";
    const worker = this.#pool.threads.find((thread) => thread.threadId === started.thread);
    if (worker === undefined || use.exceeded !== undefined) return;
    use.cpuMs = Math.max(use.cpuMs, (await cpuMsOf(worker)) - started.cpuMs);
    if (use.cpuMs > this.#limits.cpuMs) use.exceeded ??= "cpuMs";
  }
}

/** The processor time of a task so far, and the limit of time that it exceeds. */
type Use = { cpuMs: number; exceeded?: "cpuMs" | "wallMs" };

function busy(): ServiceError {
  const message = "Too many large documents are being processed. Try again shortly.";
  return new ServiceError("unavailable", message, { retryAfterSeconds });
}

/** Processor time of a thread in milliseconds; 0 for one that has just ended. */
async function cpuMsOf(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1_000;
  } catch {
    return 0;
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

function tooComplex({ cpuMs, heapMb }: ThreadLimits): ServiceError {
  return new ServiceError(
    "too_complex",
    `This would take more than ${cpuMs / 1_000} s of processor time or ${heapMb} MB of memory. Split the document, or make the change in smaller parts.`,
  );
}
