import { metered } from "@kb/telemetry";
import { maxOnEventLoop } from "./max-on-event-loop.ts";
import { type Tasks, tasks } from "./tasks.ts";
import { defaultThreadLimits, type ThreadLimits, ThreadPool } from "./thread-pool.ts";

/** Whether work on a body of this many characters belongs in a thread. */
export const isLarge = (characters: number): boolean => characters > maxOnEventLoop;

/**
 * The size of a body as `offload` needs it to render the body: formulas cost twenty times as much as other text.
 * @param content editor JSON as text
 */
export const charactersToRender = (content: string): number =>
  content.includes('"latex"') ? 20 * content.length : content.length;

let limits = defaultThreadLimits;
let pool: ThreadPool | undefined;

/** Changes limits of the threads, if none has started yet. */
export function limitThreads(changes: Partial<ThreadLimits>): void {
  limits = { ...limits, ...changes };
}

/**
 * Runs a task on a body of `characters` characters: in a thread where that is large. Never called inside a transaction with
 * a large body, because it waits for its turn.
 * @param owner the id of the user or channel that pays: owners take turns
 * @throws {ServiceError} that of the task; `too_complex` over a limit, `unavailable` where too many tasks wait
 */
export async function offload<Name extends keyof Tasks>(
  owner: string,
  name: Name,
  characters: number,
  input: Parameters<Tasks[Name]>[0],
): Promise<ReturnType<Tasks[Name]>> {
  if (!isLarge(characters)) return runHere(name, input);
  return resultOf<Name>(await thePool().run(owner, name, input));
}

/** Keeps a thread for work on bodies while a large document is written in: it is read and saved soon. */
export const keepThreadWarm = (): void => thePool().keepWarm();

function thePool(): ThreadPool {
  pool ??= new ThreadPool(new URL("./body-thread.ts", import.meta.url), limits);
  return pool;
}

/** Runs a task in this thread. The name and the input belong together by the signature of `offload`. */
function runHere<Name extends keyof Tasks>(name: Name, input: Parameters<Tasks[Name]>[0]): ReturnType<Tasks[Name]> {
  const task = tasks[name] as (input: Parameters<Tasks[Name]>[0]) => ReturnType<Tasks[Name]>;
  return metered(() => task(input));
}

/** A thread returns what the task of that name returned. */
function resultOf<Name extends keyof Tasks>(value: unknown): ReturnType<Tasks[Name]> {
  return value as ReturnType<Tasks[Name]>;
}
