import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type BuiltApp, builtProgram } from "@kb/testing/built-program";
import { compileCache } from "@kb/testing/compile-cache";

/** A running process of an app, as somebody runs several of them behind a proxy on the same machine. */
export type ServiceProcess = {
  readonly url: string;
  readonly child: ChildProcess;
  output(): string;
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<void>;
};

/** Starts a process of the API, or of another app, until it listens. */
export async function startProcess(
  environment: Record<string, string>,
  app: BuiltApp = "api",
): Promise<ServiceProcess> {
  const options = { cwd: join(import.meta.dirname, "../..", app), env: { ...compileCache, ...environment } };
  const child = spawn(process.execPath, [await builtProgram(app)], { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>();
  let text = "";
  const take = (chunk: Buffer): void => {
    text += chunk.toString();
    const port = /"port":(\d+)/.exec(text)?.[1];
    if (port !== undefined) resolve(port);
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  child.once("exit", () => reject(new Error(`it ended: ${text}`)));
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ended = child.exitCode !== null || child.signalCode !== null ? undefined : once(child, "exit");
    child.kill(signal);
    await ended;
  };
  return { url: `http://127.0.0.1:${await listening}`, child, output: () => text, end };
}
