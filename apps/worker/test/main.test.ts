import { spawn } from "node:child_process";
import { once } from "node:events";
import { freePort, testDatabase } from "@kb/db/testing";
import { builtProgram } from "@kb/testing/built-program";
import { compileCache } from "@kb/testing/compile-cache";
import { expect, it } from "vitest";

it("the worker as a process of its own tells in its health check and its log that the bucket of attachments does not work", async () => {
  const database = await testDatabase();
  const port = String(await freePort());
  const env = {
    ...compileCache,
    DATABASE_URL: database.url,
    APP_URL: "http://localhost:3000",
    APP_SECRET: "3e1f0b97c5d2486aa1b7c3d9e5f08142",
    PORT: port,
    S3_BUCKET: "wiki",
    S3_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    S3_ACCESS_KEY_ID: "id-of-the-key",
    S3_SECRET_ACCESS_KEY: "secret-of-the-key",
  };
  const worker = spawn(process.execPath, [await builtProgram("worker")], { env });
  const ended = once(worker, "exit");
  let output = "";
  for (const stream of [worker.stdout, worker.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  try {
    await expect.poll(() => output).toContain('"message":"ready"');
    const ask = async () => (await fetch(`http://127.0.0.1:${port}/api/health`)).json();
    const degraded = { status: "degraded", checks: { database: "ok", redis: "off", files: "down" } };
    expect(await ask()).toMatchObject(degraded);
    const lines = () => output.split("\n").filter((line) => line.includes("the bucket of attachments does not work"));
    await expect.poll(lines).toHaveLength(1);
    expect(await ask()).toMatchObject(degraded);
    worker.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect(lines()).toEqual([expect.stringContaining("ECONNREFUSED")]);
    expect(output).not.toMatch(/(?:id|secret)-of-the-key/);
  } finally {
    worker.kill("SIGKILL");
    await database.drop();
  }
});
