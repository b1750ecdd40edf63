import { endSessions } from "@kb/auth";
import { operations } from "@kb/core";
import { sessionCallerOf } from "@kb/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cellOf } from "../src/server/audit-csv.ts";
import { openSetting, type Setting } from "./setting.ts";

describe("the audit log as CSV", () => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting();
  });
  afterAll(() => setting?.close());

  const linesOf = async (path: string): Promise<string[]> => {
    const answer = await setting.get(path, setting.world.people.admin);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("Content-Disposition")).toBe('attachment; filename="audit-log.csv"');
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    // Decoding as text would drop the mark at the beginning.
    return Buffer.from(await answer.arrayBuffer())
      .toString()
      .trimEnd()
      .split("\r\n");
  };

  it("has every entry once, over several pages, and only those that the filters name", {
    timeout: 60_000,
  }, async () => {
    const admin = await sessionCallerOf(setting.world, setting.world.people.admin);
    for (let index = 0; index < 120; index += 1) await admin.run(operations.createTag, { name: `tag ${index}` });
    const all = await linesOf("/settings/audit.csv");
    const created = all.filter((line) => line.includes('"tags.create"'));
    expect(all[0]).toBe(
      '\uFEFF"at","user","userId","credential","credentialId","action","outcome","targetType","targetId","address","requestId","details"',
    );
    expect(created).toHaveLength(120);
    expect(new Set(created).size).toBe(120);
    expect(await linesOf("/settings/audit.csv?action=tags.create&outcome=success")).toHaveLength(121);
    expect(await linesOf("/settings/audit.csv?since=2100-01-01")).toHaveLength(1);
    expect(await linesOf("/settings/audit.csv?user=nobody&outcome=nothing")).toHaveLength(all.length);
  });

  it("a download whose session ends midway fails, so that a part does not look like the whole", {
    timeout: 60_000,
  }, async () => {
    const { people, teamId, service } = setting.world;
    const admin = await sessionCallerOf(setting.world, people.admin);
    // More than the page that is read before the answer begins.
    for (let index = 0; index < 120; index += 1) await admin.run(operations.createTag, { name: `midway ${index}` });
    const answer = await setting.get("/settings/audit.csv", people.admin);
    expect(answer.status).toBe(200);
    await service.database.transaction((tx) => endSessions(tx, teamId, people.admin.id));
    await expect(answer.text()).rejects.toThrow("the session ended");
  });

  it("a text that begins like a formula is a text, and quotes are doubled", () => {
    for (const begin of ["=", "+", "-", "@", "\t", "\r", "\n"]) {
      expect(cellOf(`${begin}HYPERLINK("a")`)).toBe(`"'${begin}HYPERLINK(""a"")"`);
    }
    expect(cellOf('Ada "the first"')).toBe('"Ada ""the first"""');
  });

  it("is not for those who may not read the log, and leads others to the log-in", async () => {
    const { editor } = setting.world.people;
    expect((await setting.get("/settings/audit.csv", editor)).status).toBe(403);
    expect((await setting.get("/settings/audit.csv", null)).status).toBe(303);
  });
});
