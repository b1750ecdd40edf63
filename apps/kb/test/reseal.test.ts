import { sealer } from "@kb/auth";
import { admin, invoke, operations } from "@kb/core";
import { createWorld, testSecret } from "@kb/core/testing";
import { sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSettings } from "../src/env.ts";
import { type Home, makeHome } from "./process.ts";

const newSecret = "another secret of the same installation, 2027";

let test: TestDatabase;
let home: Home;

beforeAll(async () => {
  test = await testDatabase();
  home = await makeHome({ DATABASE_URL: test.url, APP_SECRET: newSecret });
  const world = await createWorld(test.database);
  const inApp = await admin.systemActor(world.service, world.teamId);
  for (const url of ["https://one.example.com", "https://two.example.com"]) {
    const { id } = await invoke(world.service, operations.createWebhook, inApp, { url, events: ["document.*"] });
    await invoke(world.service, operations.rotateWebhookSecret, inApp, { id });
  }
});
afterAll(async () => {
  await home?.remove();
  await test?.drop();
});

type Row = { secret: Uint8Array; previousSecret: Uint8Array };

const stored = (): Promise<Row[]> =>
  test.database.acrossTeams.rows<Row>(sql`SELECT secret, "previousSecret" FROM webhook_subscriptions ORDER BY id`);

describe("kb reseal", { timeout: 60_000 }, () => {
  it("seals values of the previous secret under the new one, and none twice", {
    meta: { proves: ["decision.running.secret-rotation"] },
  }, async () => {
    const before = (await stored()).flatMap(({ secret, previousSecret }) => [secret, previousSecret]);
    const plain = before.map((sealed) => sealer(testSecret, "webhooks").open(sealed));
    const done = await home.json(["reseal"], { APP_SECRET_PREVIOUS: testSecret });
    expect(done).toEqual({ resealed: 4, current: 0, unreadable: 0 });
    const after = (await stored()).flatMap(({ secret, previousSecret }) => [secret, previousSecret]);
    expect(after.map((sealed) => sealer(newSecret, "webhooks").open(sealed))).toEqual(plain);
    expect(await home.json(["reseal"], { APP_SECRET_PREVIOUS: testSecret })).toEqual({
      resealed: 0,
      current: 4,
      unreadable: 0,
    });
    expect(await stored()).toEqual([0, 2].map((at) => ({ secret: after[at], previousSecret: after[at + 1] })));
  });

  it("reports how many values neither secret opens, and how to name the previous one", async () => {
    const other = { APP_SECRET: "a third secret that nobody sealed anything with", APP_SECRET_PREVIOUS: testSecret };
    const { code, stdout } = await home.kb(["reseal"], other);
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("4 cannot be decrypted with either secret"),
    });
    expect(await home.refusal(["reseal"])).toMatchObject({
      code: "usage",
      error: expect.stringContaining("APP_SECRET_PREVIOUS"),
    });
  });

  it("tokens of connected apps remain valid under the previous secret if they have no secret of their own", () => {
    const keysOf = (variables: Record<string, string>) =>
      readSettings(variables).authorization(variables.APP_SECRET ?? "")?.keys;
    const old = keysOf({ APP_SECRET: testSecret });
    const changed = keysOf({ APP_SECRET: newSecret, APP_SECRET_PREVIOUS: testSecret });
    const own = keysOf({
      APP_SECRET: newSecret,
      APP_SECRET_PREVIOUS: testSecret,
      MCP_OAUTH_TOKEN_SECRET: "one for tokens alone, 0123456789",
    });
    const hash = old?.hash("kbat_token");
    expect(changed?.hashes("kbat_token")).toContainEqual(hash);
    expect(changed?.hash("kbat_token")).not.toEqual(hash);
    expect(own?.hashes("kbat_token")).not.toContainEqual(hash);
  });
});
