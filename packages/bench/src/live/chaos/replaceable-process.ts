import { builtProgram } from "@kb/testing/built-program";
import { type ServerProcess, startServer } from "../../processes.ts";

export type App = "api" | "mcp" | "worker";

/** A process of an app that can be killed, and started again on its port. */
export class ReplaceableProcess {
  readonly app: App;
  readonly port: number;
  readonly #environment: Readonly<Record<string, string>>;
  #process: ServerProcess | undefined;

  constructor(app: App, port: number, environment: Readonly<Record<string, string>>) {
    this.app = app;
    this.port = port;
    this.#environment = environment;
  }

  async start(): Promise<void> {
    const environment = { ...this.#environment, PORT: String(this.port) };
    this.#process = await startServer(await builtProgram(this.app), [], this.port, environment);
  }

  /** Ends it by a signal, and starts it again. */
  async replace(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const ending = this.#process;
    if (ending === undefined) throw new Error(`${this.app} does not run`);
    this.#process = undefined;
    process.kill(ending.pid, signal);
    await ending.ended;
    await this.start();
  }

  async stop(): Promise<void> {
    await this.#process?.stop();
  }
}
