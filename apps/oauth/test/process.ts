import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { builtProgram } from "@kb/testing/built-program";
import { compileCache } from "@kb/testing/compile-cache";

/** The app as a process of its own: all that it said, its end, and the address at which it listens. */
export type Started = {
  child: ChildProcess;
  output(): string;
  exit: Promise<number | null>;
  listening: Promise<string>;
};

const program = await builtProgram("oauth");

/** Starts it with nothing in its environment but what is given, and the compile cache. */
export function start(environment: Record<string, string>): Started {
  const options = { cwd: join(import.meta.dirname, ".."), env: { ...compileCache, ...environment } };
  const child = spawn(process.execPath, [program], { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const exit = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  let text = "";
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>();
  listening.catch(() => {});
  const take = (chunk: Buffer): void => {
    text += chunk.toString();
    const port = /"port":(\d+)/.exec(text)?.[1];
    if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  void exit.then(() => reject(new Error(`it ended: ${text}`)));
  return { child, exit, output: () => text, listening };
}
