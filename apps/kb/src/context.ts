import { readSettings, type Settings } from "./env.ts";

/** The settings, output and signal of a command. */
export type Context = {
  readonly settings: Settings;
  readonly output: Output;
  /** Aborted by Ctrl-C and SIGTERM, so that long commands can clean up. */
  readonly signal: AbortSignal;
  /** Makes the process exit with 1 after a command that ran but found problems. */
  readonly fail: () => void;
};

/** The output of a command. */
export type Output = {
  readonly json: boolean;
  /** Prints progress. With `json` it goes to standard error, so that standard output is one object. */
  progress(message: string): void;
  /** Prints the result: an object with `json`, else lines of text. */
  answer(object: Readonly<Record<string, unknown>>, lines: readonly string[]): void;
};

/** Creates the context of a command. @throws {EnvironmentError} */
export function contextOf(json: boolean, signal: AbortSignal, fail: () => void): Context {
  return { settings: readSettings(), output: outputOf(json), signal, fail };
}

/** Creates the output on the streams of the process. */
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

/** Ignores progress, for commands that finish quickly. */
export const noProgress = (): void => {};
