import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { type TestDatabase, testDatabase } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { secret } from "./setting.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

type Started = { child: ChildProcess; output(): string; exit: Promise<number | null>; listening: Promise<string> };

/** The app as a process of its own, with nothing in its environment but what is given. */
function start(environment: Record<string, string>): Started {
  const options = { cwd: join(import.meta.dirname, ".."), env: environment };
  const child = spawn(process.execPath, ["src/main.ts"], { ...options, stdio: ["ignore", "pipe", "pipe"] });
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

describe("the log-in as a process of its own", () => {
  const environment = () => ({ DATABASE_URL: database.url, APP_URL: "http://localhost:3003", PORT: "0" });

  it("serves with DATABASE_URL, APP_URL and APP_SECRET alone, and stops cleanly on SIGTERM", async () => {
    const started = start({ ...environment(), APP_SECRET: secret });
    const url = await started.listening;
    expect((await fetch(`${url}/login`)).status).toBe(200);
    expect(await (await fetch(`${url}/api/health`)).json()).toMatchObject({ status: "ok", checks: { database: "ok" } });
    started.child.kill("SIGTERM");
    expect(await started.exit).toBe(0);
    expect(started.output()).toContain('"message":"stopped"');
  });

  it("tells all that is wrong with its environment at once, and no value of it [decision.running.secret] [decision.running.https]", async () => {
    const wrong = { APP_URL: "http://wiki.example.com", APP_SECRET: "hunter2", OIDC_ISSUER: "http://id.example.com" };
    const started = start({ ...environment(), ...wrong });
    expect(await started.exit).toBe(1);
    for (const name of Object.keys(wrong)) expect(started.output()).toContain(`  ${name}: `);
    expect(started.output()).not.toContain("hunter2");
  });

  it("half of a single sign-on is told, with what is missing [decision.access.oidc]", async () => {
    const started = start({ ...environment(), APP_SECRET: secret, OIDC_ISSUER: "https://id.example.com" });
    expect(await started.exit).toBe(1);
    for (const name of ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"]) expect(started.output()).toContain(`  ${name}: `);
  });
});
