import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { connect } from "../database.ts";
import { newId } from "../ids.ts";
import { migrate } from "../migrations.ts";
import { sql } from "../sql.ts";
import { type Cluster, describeCluster, startCluster } from "./cluster.ts";
import { DataDirInUseError, dataDirHolder, lockDataDir } from "./data-dir-lock.ts";
import { unfinishedPrefix } from "./initialize.ts";
import { layoutOf } from "./layout.ts";
import { isAlive } from "./processes.ts";
import { endWithThisProcess, startThrowAwayCluster } from "./throw-away.ts";

const entry = fileURLToPath(new URL("../index.ts", import.meta.url));

// The operating system keeps the writes of a killed process: nothing here waits for the disk of a busy machine.
const settings = { fsync: "off" };

describe("the embedded PostgreSQL", { timeout: 60_000 }, () => {
  const folders: string[] = [];
  const children: ChildProcess[] = [];

  const folder = (): string => {
    // mkdtemp makes it private, so that root's other account could not even walk to it.
    const dataDir = join(mkdtempSync(join(tmpdir(), "kb-cluster-test-")), "data");
    folders.push(dataDir);
    endWithThisProcess(dataDir);
    return dataDir;
  };

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    for (const dataDir of folders.splice(0)) {
      if (describeCluster(dataDir) !== null) await (await startCluster({ dataDir })).stop();
      await rm(join(dataDir, ".."), { recursive: true, force: true });
    }
  });

  const write = async (cluster: Cluster): Promise<string> => {
    await migrate(cluster.url);
    const database = connect({ url: cluster.url });
    const id = newId();
    await database.client.team.create({ data: { id, name: "Kept" } });
    await database.close();
    return id;
  };

  const expectKept = async (cluster: Cluster, id: string): Promise<void> => {
    const database = connect({ url: cluster.url });
    expect(await database.client.team.findUnique({ where: { id } })).toMatchObject({ name: "Kept" });
    await database.close();
  };

  /** A process of its own that runs a program on this package; resolves with its first line. */
  const elsewhere = async (program: string): Promise<{ child: ChildProcess; line: string }> => {
    // It waits for the end of its input, so that it ends with this process.
    const source = `import * as db from ${JSON.stringify(entry)};\n${program}\nprocess.stdin.on("end", () => process.exit()).resume();`;
    const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", source], {
      stdio: ["pipe", "pipe", "inherit"],
      detached: true,
    });
    children.push(child);
    const line = await new Promise<string>((resolve) =>
      child.stdout?.once("data", (data) => resolve(String(data).trim())),
    );
    return { child, line };
  };

  it("keeps its data, its password and its port between runs, durable and private, in UTF-8 on any machine", async () => {
    const dataDir = folder();
    const messages: string[] = [];
    const first = await startCluster({ dataDir, onProgress: (message) => messages.push(message) });
    expect(first.reused).toBe(false);
    expect(messages).toEqual(["creating the database", "starting the database"]);
    const id = await write(first);
    const database = connect({ url: first.url });
    const [settings] = await database.rows(sql`
      SELECT current_setting('fsync') AS fsync, current_setting('listen_addresses') AS listen,
        current_setting('server_encoding') AS encoding, current_setting('TimeZone') AS zone,
        (SELECT datlocale FROM pg_database WHERE datname = current_database()) AS locale, upper('é') AS upper`);
    await database.close();
    expect(settings).toEqual({
      fsync: "on",
      listen: "127.0.0.1",
      encoding: "UTF8",
      zone: "UTC",
      locale: "C.UTF-8",
      upper: "É",
    });
    expect(statSync(layoutOf(dataDir).password).mode & 0o777).toBe(0o600);
    const wrong = connect({ url: first.url.replace(/:[^:@]+@/, ":wrong@") });
    await expect(wrong.ping()).rejects.toMatchObject({ code: "28P01" });
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);
    expect(describeCluster(dataDir)).toBeNull();

    const second = await startCluster({ dataDir });
    expect(second.url).toBe(first.url);
    await expectKept(second, id);
    await second.stop();
    await second.stop();
  });

  it("listens on another port, and keeps that one, if another program has taken its own", async () => {
    const dataDir = folder();
    const first = await startCluster({ dataDir, settings });
    await first.stop();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(first.port, "127.0.0.1", resolve));
    const messages: string[] = [];
    const second = await startCluster({ dataDir, settings, onProgress: (message) => messages.push(message) });
    await second.stop();
    await new Promise((resolve) => other.close(resolve));
    expect(second.port).not.toBe(first.port);
    expect(messages).toContain(
      `another program uses port ${first.port}; from now on the database listens on port ${second.port}`,
    );
    const third = await startCluster({ dataDir, settings });
    expect(third.port).toBe(second.port);
    await third.stop();
  });

  it("outlives a killed service and a signal to its process group, and the next start takes it over", async () => {
    const dataDir = folder();
    const { child, line } = await elsewhere(`
      const cluster = await db.startCluster({ dataDir: ${JSON.stringify(dataDir)}, settings: ${JSON.stringify(settings)} });
      console.log(cluster.pid);`);
    const pid = Number(line);
    process.kill(-(child.pid ?? 0), "SIGINT");
    await new Promise((resolve) => child.once("exit", resolve));
    expect(isAlive(pid)).toBe(true);
    expect(describeCluster(dataDir)).toMatchObject({ pid });
    const cluster = await startCluster({ dataDir, settings });
    expect(cluster).toMatchObject({ reused: true, pid });
    await write(cluster);
    await cluster.stop();
    expect(isAlive(pid)).toBe(false);
  });

  it("recovers every acknowledged write after kill -9", async () => {
    const dataDir = folder();
    const first = await startCluster({ dataDir, settings });
    const id = await write(first);
    process.kill(first.pid, "SIGKILL");
    const second = await startCluster({ dataDir, settings });
    expect(second.reused).toBe(false);
    await expectKept(second, id);
    await second.stop();
  });

  it("starts despite a stale pid file whose id another process has now", async () => {
    const dataDir = folder();
    const first = await startCluster({ dataDir, settings });
    const id = await write(first);
    const file = join(layoutOf(dataDir).pgData, "postmaster.pid");
    const stale = readFileSync(file, "utf8").replace(/^\d+/, String(process.pid));
    await first.stop();
    writeFileSync(file, stale);
    expect(describeCluster(dataDir)).toBeNull();
    const second = await startCluster({ dataDir, settings });
    await expectKept(second, id);
    await second.stop();
  });

  it("creates the cluster again after an interrupted first start", async () => {
    const dataDir = folder();
    const { pgData } = layoutOf(dataDir);
    const { child } = await elsewhere(`
      import { globSync } from "node:fs";
      void db.startCluster({ dataDir: ${JSON.stringify(dataDir)}, settings: ${JSON.stringify(settings)} });
      const half = ${JSON.stringify(join(dataDir, `${unfinishedPrefix}*`, "PG_VERSION"))};
      while (globSync(half).length === 0) await new Promise((done) => setTimeout(done, 2));
      console.log("half");`);
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
    const cluster = await startCluster({ dataDir, settings });
    expect(existsSync(pgData)).toBe(true);
    await write(cluster);
    await cluster.stop();
  });

  it("reports PostgreSQL's own message if it does not start", async () => {
    const dataDir = folder();
    await expect(startCluster({ dataDir, settings: { ...settings, shared_buffers: "nonsense" } })).rejects.toThrow(
      /did not start: .*shared_buffers/s,
    );
    await (await startCluster({ dataDir, settings })).stop();
  });

  it("leaves neither process nor folder after a test, even if the process is killed", async () => {
    const cluster = await startThrowAwayCluster();
    await cluster.stop();
    expect(isAlive(cluster.pid)).toBe(false);
    const { child, line } = await elsewhere(`
      const cluster = await db.startThrowAwayCluster();
      console.log(cluster.pid);`);
    const pid = Number(line);
    const folder = join(readlinkSync(`/proc/${pid}/cwd`), "..");
    child.kill("SIGKILL");
    await expect.poll(() => isAlive(pid) || existsSync(folder), { timeout: 8_000 }).toBe(false);
  });

  describe("the lock of its data folder", () => {
    it("names the process and URL of the running service that holds it", async () => {
      const dataDir = folder();
      const { child } = await elsewhere(`
        db.lockDataDir(${JSON.stringify(dataDir)}, "http://localhost:4321");
        console.log("held");`);
      expect(() => lockDataDir(dataDir, "http://localhost:5000")).toThrow(DataDirInUseError);
      expect(() => lockDataDir(dataDir, "http://localhost:5000")).toThrow(
        `process ${child.pid} serves it at http://localhost:4321`,
      );
      expect(dataDirHolder(dataDir)).toEqual({ pid: child.pid, url: "http://localhost:4321" });
      child.kill("SIGKILL");
      await new Promise((resolve) => child.once("exit", resolve));
      expect(dataDirHolder(dataDir)).toBeNull();
      lockDataDir(dataDir, "http://localhost:5000").release();
      lockDataDir(dataDir, "http://localhost:5000").release();
    });

    it("is ignored if another process has the id of its holder, or it is not readable", () => {
      const dataDir = folder();
      lockDataDir(dataDir, "http://a");
      const file = join(dataDir, "service.lock");
      const held: unknown = JSON.parse(readFileSync(file, "utf8"));
      writeFileSync(file, JSON.stringify({ ...Object(held), birth: "another" }));
      lockDataDir(dataDir, "http://b");
      writeFileSync(file, "{");
      const lock = lockDataDir(dataDir, "http://c");
      expect(() => lockDataDir(dataDir, "http://d")).toThrow("http://c");
      lock.release();
      expect(existsSync(file)).toBe(false);
    });

    it("goes to exactly one of many processes that replace a stale lock at once", async () => {
      const dataDir = folder();
      lockDataDir(dataDir, "http://stale").release();
      writeFileSync(
        join(dataDir, "service.lock"),
        JSON.stringify({ pid: 1, birth: "another", url: "x", token: "stale" }),
      );
      const at = Date.now() + 1_500;
      const starts = Array.from({ length: 4 }, () =>
        elsewhere(`
          while (Date.now() < ${at});
          try { db.lockDataDir(${JSON.stringify(dataDir)}, "http://me"); console.log("got"); } catch (error) { console.log(error.name); }`),
      );
      const lines = (await Promise.all(starts)).map(({ line }) => line);
      expect(lines.sort()).toEqual(["DataDirInUseError", "DataDirInUseError", "DataDirInUseError", "got"]);
    });
  });
});
