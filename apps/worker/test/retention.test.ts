import { invoke, operations, sweep } from "@kb/core";
import { inApp } from "@kb/core/testing";
import { newId, sql } from "@kb/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

const day = 24 * 60 * 60 * 1000;

describe("retention", () => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting();
  });
  afterAll(() => setting.close());

  const trash = async (): Promise<string> => {
    const { service, people, collections } = setting.world;
    const given = { title: "Past", text: "Past its time.", collectionId: collections.open, publish: true };
    const { id } = await invoke(service, operations.createDocument, people.admin.actor, given);
    await invoke(service, operations.deleteDocument, people.admin.actor, { id });
    return id;
  };
  const exists = async (id: string): Promise<boolean> => {
    const { service, teamId } = setting.world;
    return (await service.database.client.document.count({ where: { teamId, id } })) > 0;
  };

  it("the trash is emptied after TRASH_RETENTION_DAYS, and never if that is 0", {
    meta: { proves: ["decision.retention.trash"] },
  }, async () => {
    const { service, teamId } = setting.world;
    const old = await trash();
    setting.clock.advance(29 * day);
    const fresh = await trash();
    await sweep(service, { trashRetentionDays: 30 });
    expect([await exists(old), await exists(fresh)]).toEqual([true, true]);
    setting.clock.advance(day + 60_000);
    await sweep(service, { trashRetentionDays: 0 });
    expect(await exists(old)).toBe(true);
    expect(await sweep(service, { trashRetentionDays: 30 })).toMatchObject({ documents: expect.any(Number) });
    expect([await exists(old), await exists(fresh)]).toEqual([false, true]);
    const events = await service.database.client.event.findMany({ where: { teamId, type: "document.destroyed" } });
    expect(events.map((event) => event.documentId)).toContain(old);
    const [entry] = await service.database.client.auditEntry.findMany({ where: { teamId, action: "trash.retention" } });
    expect(entry).toMatchObject({ credentialKind: "system", outcome: "success" });
  });

  it("the token of a failed mail is removed when its link expires, and mails are deleted after 30 days", {
    meta: { proves: ["onboarding.mail.obsolete"] },
  }, async () => {
    const { service, teamId } = setting.world;
    const now = setting.clock.now();
    const mail = { teamId, kind: "test", recipient: "reader@example.org", language: "en", facts: { team: "Ours" } };
    const row = (createdAt: Date, expiresAt: Date) => {
      const token = new Uint8Array([1]);
      return { ...mail, id: newId(), status: "failed", token, nextAttemptAt: createdAt, createdAt, expiresAt };
    };
    const expired = row(new Date(now.getTime() - day), now);
    const valid = row(now, new Date(now.getTime() + day));
    const old = row(new Date(now.getTime() - 31 * day), new Date(now.getTime() - 30 * day));
    await service.database.client.mail.createMany({ data: [expired, valid, old] });
    expect(await sweep(service, { trashRetentionDays: 0 })).toMatchObject({ mails: 1, mailTokens: 1 });
    const left = await service.database.client.mail.findMany({ where: { teamId }, orderBy: { createdAt: "asc" } });
    expect(left.map(({ id, token }) => [id, token === null])).toEqual([
      [expired.id, true],
      [valid.id, false],
    ]);
  });

  it("deliveries and their events are deleted in batches after 30 days, except waiting ones", async () => {
    const { service, people, teamId } = setting.world;
    const given = { url: "https://hooks.example.com/", events: ["*"] };
    const { id } = await invoke(service, operations.createWebhook, inApp(people.admin), given);
    const now = setting.clock.now();
    const past = new Date(now.getTime() - 31 * day);
    await service.database.execute(sql`INSERT INTO change_cursors (consumer, "teamId", sequence)
      VALUES ('webhooks', ${teamId}::uuid, 9000001)`);
    await sweep(service, { trashRetentionDays: 0 });
    const eventId = newId();
    const { client } = service.database;
    const about = { teamId, id: eventId, sequence: 9_000_001n, type: "webhook.test", actor: {}, data: { id } };
    await client.event.create({ data: { ...about, at: past } });
    await client.event.create({ data: { ...about, id: newId(), sequence: 9_000_002n, at: past } });
    await service.database.execute(sql`INSERT INTO webhook_deliveries
        ("teamId", id, "subscriptionId", "eventId", sequence, status, "createdAt")
      SELECT ${teamId}::uuid, gen_random_uuid(), ${id}::uuid, ${eventId}::uuid, 9000001, 'delivered', ${past}::timestamptz
      FROM generate_series(1, 2500)`);
    const waiting = (await invoke(service, operations.testWebhook, inApp(people.admin), { id })).id;
    expect(await sweep(service, { trashRetentionDays: 0 })).toMatchObject({ deliveries: 2_500, events: 1 });
    const left = await client.webhookDelivery.findMany({ where: { teamId, subscriptionId: id } });
    expect(left.map((delivery) => delivery.id)).toEqual([waiting]);
    // An event that a consumer has not read is kept at any age.
    expect(await client.event.count({ where: { teamId, sequence: 9_000_002n } })).toBe(1);
  });

  it("unused apps are deleted after 48 hours, idle ones after 30 days, codes and tokens at their expiry, and grants 30 days after their end", async () => {
    const { service, people, teamId } = setting.world;
    const { client } = service.database;
    const ago = (ms: number): Date => new Date(setting.clock.now().getTime() - ms);
    const app = (id: string, createdAt: Date, lastUsedAt: Date | null) =>
      client.oauthClient.create({ data: { id, kind: "dynamic", metadata: {}, createdAt, lastUsedAt } });
    await app("never used", ago(2 * day + 1), null);
    await app("just made", ago(2 * day - 60_000), null);
    await app("idle", ago(90 * day), ago(30 * day + 1));
    await app("in use", ago(90 * day), ago(29 * day));
    const grantId = newId();
    const grant = {
      teamId,
      userId: people.admin.id,
      clientId: "in use",
      scopes: ["read"],
      resource: "http://localhost:3000",
    };
    await client.oauthGrant.create({ data: { ...grant, id: grantId, expiresAt: ago(-day) } });
    const ended = [ago(30 * day + 1), ago(29 * day)].flatMap((at) => [
      { ...grant, id: newId(), expiresAt: at },
      { ...grant, id: newId(), expiresAt: ago(-day), revokedAt: at },
    ]);
    await client.oauthGrant.createMany({ data: ended });
    const bytes = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length).fill(length);
    const token = { teamId, grantId, kind: "access", scopes: ["read"] };
    await client.oauthToken.create({ data: { ...token, hash: bytes(31), expiresAt: ago(day + 1) } });
    await client.oauthToken.create({ data: { ...token, hash: bytes(32), expiresAt: ago(-1_000) } });
    const code = { teamId, grantId, redirectUri: "http://localhost/", codeChallenge: "x" };
    await client.oauthCode.create({ data: { ...code, hash: bytes(31), expiresAt: ago(day + 1) } });
    expect(await sweep(service, { trashRetentionDays: 0 })).toMatchObject({
      oauthClients: 2,
      oauthTokens: 1,
      oauthCodes: 1,
      oauthGrants: 2,
    });
    const left = await client.oauthClient.findMany({ where: {}, orderBy: { id: "asc" } });
    expect(left.map(({ id }) => id)).toEqual(["in use", "just made"]);
    const grants = await client.oauthGrant.findMany({ where: { teamId, clientId: "in use" } });
    expect(grants.map(({ id }) => id).sort()).toEqual([grantId, ended[2]?.id, ended[3]?.id].sort());
  });

  it("an app with a living grant is kept, however long it was not used, so that no grant ends silently", {
    meta: { proves: ["decision.oauth.clients-swept"] },
  }, async () => {
    const { service, people, teamId } = setting.world;
    const { client } = service.database;
    const ago = (ms: number): Date => new Date(setting.clock.now().getTime() - ms);
    const app = async (id: string, lastUsedAt: Date | null, grant: { expiresAt: Date; revokedAt?: Date }) => {
      await client.oauthClient.create({
        data: { id, kind: "dynamic", metadata: {}, createdAt: ago(90 * day), lastUsedAt },
      });
      const of = { teamId, userId: people.admin.id, scopes: ["read"], resource: "http://localhost:3000" };
      await client.oauthGrant.create({ data: { ...of, id: newId(), clientId: id, ...grant } });
    };
    await app("quiet, MCP_OAUTH_REFRESH_SECONDS is 90 days", ago(60 * day), { expiresAt: ago(-30 * day) });
    await app("allowed a moment ago, its code not redeemed yet", null, { expiresAt: ago(-1_000) });
    await app("quiet, its grant ran out", ago(60 * day), { expiresAt: ago(1) });
    await app("quiet, disconnected", ago(60 * day), { expiresAt: ago(-30 * day), revokedAt: ago(day) });
    await sweep(service, { trashRetentionDays: 0 });
    const left = await client.oauthClient.findMany({
      where: { createdAt: ago(90 * day), id: { not: "in use" } },
      orderBy: { id: "asc" },
    });
    expect(left.map(({ id }) => id)).toEqual([
      "allowed a moment ago, its code not redeemed yet",
      "quiet, MCP_OAUTH_REFRESH_SECONDS is 90 days",
    ]);
    expect(await client.oauthGrant.count({ where: { teamId, clientId: { in: left.map(({ id }) => id) } } })).toBe(2);
  });

  it("a worker runs the sweep by itself, and two concurrent workers delete each row once", async () => {
    const { service } = setting.world;
    const old = await trash();
    setting.clock.advance(31 * day);
    const [first, second] = await Promise.all([
      sweep(service, { trashRetentionDays: 30 }),
      sweep(service, { trashRetentionDays: 30 }),
    ]);
    expect((first.documents ?? 0) + (second.documents ?? 0)).toBeGreaterThan(0);
    expect(await exists(old)).toBe(false);
    const another = await trash();
    setting.clock.advance(31 * day);
    const worker = setting.work();
    await expect.poll(() => exists(another), { timeout: 10_000 }).toBe(false);
    await worker.close();
  });
});
