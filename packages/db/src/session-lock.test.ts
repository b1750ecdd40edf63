import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withSessionLock } from "./session-lock.ts";
import { sql } from "./sql.ts";

describe("a lock between processes", () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await testDatabase();
  });
  afterAll(() => test.drop());

  it("lets one run at a time, reports a wait, and is released after a failure", async () => {
    const happened: string[] = [];
    const held = Promise.withResolvers<void>();
    const first = withSessionLock({ url: test.url, name: "a" }, async () => {
      happened.push("first begins");
      await held.promise;
      happened.push("first ends");
      throw new Error("it failed");
    });
    while (happened.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const waits = Promise.withResolvers<void>();
    const second = withSessionLock({ url: test.url, name: "a", onWait: waits.resolve }, async () => {
      happened.push("second");
      return 2;
    });
    await waits.promise;
    expect(await withSessionLock({ url: test.url, name: "b" }, async () => "another name")).toBe("another name");
    held.resolve();
    await expect(first).rejects.toThrow("it failed");
    expect(await second).toBe(2);
    expect(happened).toEqual(["first begins", "first ends", "second"]);
  });

  it("does not run after an aborted wait, and leaves no lock behind", async () => {
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const first = withSessionLock({ url: test.url, name: "c" }, () => {
      begun.resolve();
      return held.promise;
    });
    await begun.promise;
    const stop = new AbortController();
    let ran = false;
    const options = { url: test.url, name: "c", signal: stop.signal, onWait: () => stop.abort(new Error("stopped")) };
    const second = withSessionLock(options, async () => {
      ran = true;
    });
    await expect(second).rejects.toThrow("stopped");
    held.resolve();
    await first;
    expect(ran).toBe(false);
    await withSessionLock({ url: test.url, name: "c" }, async () => {});
  });

  it("tells that it is lost with its connection", async () => {
    await withSessionLock({ url: test.url, name: "e" }, async (lost) => {
      expect(lost.aborted).toBe(false);
      const aborted = new Promise((resolve) => lost.addEventListener("abort", resolve, { once: true }));
      await test.database.acrossTeams.execute(
        sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE application_name = 'kb lock' AND datname = current_database()`,
      );
      await aborted;
    });
    await withSessionLock({ url: test.url, name: "e" }, async () => {});
  });

  it("does not delay a concurrent index build while it waits", async () => {
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const waits = Promise.withResolvers<void>();
    const first = withSessionLock({ url: test.url, name: "d" }, () => {
      begun.resolve();
      return held.promise;
    });
    await begun.promise;
    const second = withSessionLock({ url: test.url, name: "d", onWait: waits.resolve }, async () => {});
    await waits.promise;
    await test.database.acrossTeams.execute(
      sql`CREATE INDEX CONCURRENTLY documents_waited_for ON documents ("fullWidth")`,
    );
    held.resolve();
    await Promise.all([first, second]);
  });
});
