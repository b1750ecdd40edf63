import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { type TestDatabase, testDatabase } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../test/bundle.ts";

const root = join(import.meta.dirname, "..");

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

type Started = { child: ChildProcess; output(): string; exit: Promise<number | null>; url(): Promise<string> };

/** The API as a process of its own, with nothing in its environment but what is given. */
function start(program: string, environment: Record<string, string>, cwd = root): Started {
  const child = spawn(process.execPath, [program], { cwd, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  const exit = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  let text = "";
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const take = (chunk: Buffer): void => {
    text += chunk.toString();
    const port = /"port":(\d+)/.exec(text)?.[1];
    if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  void exit.then(() => reject(new Error(`it ended: ${text}`)));
  promise.catch(() => {});
  return { child, exit, output: () => text, url: () => promise };
}

async function servesAndStops(started: Started): Promise<void> {
  const health = await fetch(`${await started.url()}/api/health`);
  expect(await health.json()).toMatchObject({ status: "ok", checks: { database: "ok" } });
  const refused = await fetch(`${await started.url()}/api/v1/me`, { headers: { Authorization: "Bearer kb_x" } });
  expect(refused.status).toBe(401);
  started.child.kill("SIGTERM");
  expect(await started.exit).toBe(0);
  expect(started.output()).toContain('"message":"stopped"');
}

describe("the API as a process of its own", () => {
  const environment = () => ({
    ...{ DATABASE_URL: database.url, APP_URL: "http://localhost:3001", PORT: "0" },
    APP_SECRET: "5f0c9d1be7a34286a9b1c7d20e4f68135f0c9d1b",
  });

  it("serves with DATABASE_URL, APP_URL and APP_SECRET alone, and stops cleanly on SIGTERM", async () => {
    const started = start("src/main.ts", environment());
    await servesAndStops(started);
    expect(started.output()).toContain("ready http://localhost:3001");
  });

  it("its bundle runs with plain Node beside the one package that is native code", async () => {
    const { folder, program, remove } = await bundle("src/main.ts");
    try {
      await servesAndStops(start(program, environment(), folder));
    } finally {
      await remove();
    }
  }, 60_000);

  it("tells all that is wrong with its environment at once, and no value of it", async () => {
    const started = start("src/main.ts", {
      DATABASE_URL: "mysql://kb:hunter2@db/kb",
      PORT: "x",
      RATE_LIMIT_PER_MINUTE: "0",
    });
    started.url().catch(() => {});
    expect(await started.exit).toBe(1);
    for (const name of ["APP_SECRET", "APP_URL", "DATABASE_URL", "PORT", "RATE_LIMIT_PER_MINUTE"]) {
      expect(started.output()).toContain(`  ${name}: `);
    }
    expect(started.output()).not.toContain("hunter2");
  });
});
