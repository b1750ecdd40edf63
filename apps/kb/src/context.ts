import { readSettings, type Settings } from "./env.ts";

/** What a command works with. */
export type Context = {
  readonly settings: Settings;
  readonly output: Output;
  /** Aborted by Ctrl-C and SIGTERM: what takes long ends in good order. */
  readonly signal: AbortSignal;
  /** The command did its work, and its answer is bad news: the process ends with 1. */
  readonly fail: () => void;
};

/** Where a command speaks. */
export type Output = {
  readonly json: boolean;
  /** What happens meanwhile. With `json` it goes to standard error, so that standard output stays one object. */
  progress(message: string): void;
  /** The answer: an object with `json`, else lines for a person. */
  answer(object: Readonly<Record<string, unknown>>, lines: readonly string[]): void;
};

/** The context of one run of one command. @throws {EnvironmentError} */
export function contextOf(json: boolean, signal: AbortSignal, fail: () => void): Context {
  return { settings: readSettings(), output: outputOf(json), signal, fail };
}

/** Speaks on the streams of the process. */
function outputOf(json: boolean): Output {
  return {
    json,
    progress: (message) => {
      (json ? process.stderr : process.stdout).write(`${message}\n`);
    },
    answer: (object, lines) => {
      process.stdout.write(json ? `${JSON.stringify(object)}\n` : lines.map((line) => `${line}\n`).join(""));
    },
  };
}

/** For commands that are done in a moment: how the database is reached for it is no news. */
export const silently = (): void => {};
