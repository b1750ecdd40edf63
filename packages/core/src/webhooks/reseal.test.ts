import { type Sealer, sealer } from "@kb/auth";
import { testSecret } from "@kb/core/testing";
import { sql } from "@kb/db";
import { describe, expect, it } from "vitest";
import { systemActor } from "../admin/index.ts";
import type { Service } from "../context.ts";
import { invoke } from "../invoke.ts";
import * as operations from "../operations.ts";
import { testWorld } from "../testing/test-world.ts";
import { resealWebhooks } from "./reseal.ts";

const { test, world } = await testWorld();

const present = sealer("a new secret of this installation, 2027", "webhooks");
const previous = sealer(testSecret, "webhooks");

/** The service after every process has both secrets. */
const changed = (): Service => ({ ...world.service, sealer: { seal: present.seal, open: present.open } });

async function webhook(): Promise<string> {
  const actor = await systemActor(world.service, world.teamId);
  const input = { url: "https://hooks.example.com", events: ["document.*"] };
  return (await invoke(world.service, operations.createWebhook, actor, input)).id;
}

async function rotate(id: string): Promise<void> {
  await invoke(changed(), operations.rotateWebhookSecret, await systemActor(world.service, world.teamId), { id });
}

/** Runs `later` while another transaction has an uncommitted change of the row. Resolves when both are done. */
async function meanwhile(id: string, change: "rotate" | "reseal", later: () => Promise<unknown>): Promise<void> {
  const anew = (seal: Sealer["seal"]) => new Uint8Array(seal(new Uint8Array(32).fill(7)));
  let waiting: Promise<unknown> = Promise.resolve();
  await test.database.transaction(async (tx) => {
    const set =
      change === "rotate"
        ? sql`"previousSecret" = secret, secret = ${anew(present.seal)}`
        : sql`secret = ${anew(present.seal)}`;
    await tx.execute(sql`UPDATE webhook_subscriptions SET ${set}
      WHERE "teamId" = ${world.teamId}::uuid AND id = ${id}::uuid`);
    waiting = later();
    await expect
      .poll(() =>
        test.database.acrossTeams.rows(sql`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`),
      )
      .toHaveLength(1);
  });
  await waiting;
}

/** Reads which secrets of the webhook can be opened with only the installation's new secret. */
async function opens(id: string): Promise<boolean[]> {
  const [row] = await test.database.acrossTeams.rows<{ secret: Uint8Array; previousSecret: Uint8Array }>(
    sql`SELECT secret, "previousSecret" FROM webhook_subscriptions WHERE id = ${id}::uuid`,
  );
  return [row?.secret, row?.previousSecret].map((sealed) => {
    try {
      return sealed !== undefined && present.open(sealed).length === 32;
    } catch {
      return false;
    }
  });
}

describe("after a change of APP_SECRET both secrets of a webhook open with only the new one", () => {
  it("where it gets a new secret while the old ones are sealed anew", {
    meta: { proves: ["decision.running.secret-rotation"] },
  }, async () => {
    const id = await webhook();
    const results: unknown[] = [];
    await meanwhile(id, "rotate", async () => results.push(await resealWebhooks(test.database, { present, previous })));
    expect(await opens(id)).toEqual([true, true]);
    expect(results).toEqual([{ resealed: 1, current: 1, unreadable: 0 }]);
  });

  it("where its secret is sealed anew while it gets another", async () => {
    const id = await webhook();
    await meanwhile(id, "reseal", () => rotate(id));
    expect(await opens(id)).toEqual([true, true]);
  });
});
