import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "@kb/db/testing";
import { Redis } from "ioredis";

/** A real Redis that a test may kill, freeze and start again. */
export type RedisServer = {
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  /** Kills it and waits until it is gone. */
  stop(): Promise<void>;
  /** Freezes it: it keeps its connections and does not answer. */
  freeze(): void;
  thaw(): void;
};

/** Starts `redis-server` from the path on a free port, with nothing on disk. */
export async function redisServer(): Promise<RedisServer> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    port,
    async start() {
      const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
      child = spawn("redis-server", options, { stdio: "ignore" });
      child.once("error", (error) => {
        throw new Error("redis-server is needed for this test: apt-get install redis-server", { cause: error });
      });
      await answering(port);
    },
    async stop() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
    freeze: () => child?.kill("SIGSTOP"),
    thaw: () => child?.kill("SIGCONT"),
  };
  await server.start();
  return server;
}

async function answering(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const redis = new Redis({ port, host: "127.0.0.1", lazyConnect: true, retryStrategy: () => null });
    redis.on("error", () => {});
    try {
      await redis.connect();
      await redis.ping();
      return;
    } catch {
      await pause(50);
    } finally {
      redis.disconnect();
    }
  }
  throw new Error(`redis-server on port ${port} does not answer`);
}
