import { sql } from "@kb/db";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

let setting: Setting;
beforeAll(async () => {
  setting = await openSetting();
});
afterAll(() => setting.close());

it("after a write that failed for lack of disk space the health check is degraded, ready and live are not, and it recovers", {
  meta: { proves: ["decision.api.health-disk"] },
}, async () => {
  const nobody = setting.as(null);
  const full = sql`DO $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`;
  await expect(setting.database.transaction((tx) => tx.execute(full))).rejects.toThrow();
  expect((await nobody.get<object>("/api/health?ready=1")).status).toBe(200);
  expect((await nobody.get<object>("/api/health?live=1")).status).toBe(200);
  expect(await nobody.get<object>("/api/health")).toMatchObject({
    status: 503,
    body: { status: "degraded", checks: { database: "ok", disk: "full" } },
  });
  await expect.poll(async () => (await nobody.get<object>("/api/health")).status).toBe(200);
  expect(await nobody.get<object>("/api/health")).toMatchObject({ body: { checks: { database: "ok" } } });
});
