import { admin, type DocumentView, flushAudit, invoke, operations, type Service, sweep } from "@kb/core";
import { newId, sql } from "@kb/db";
import { type ApiClient, api, type Failure, type One, type TestClock, testClock } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Entry = {
  id: string;
  at: string;
  user: { id: string; name: string | null } | null;
  credential: { kind: string; id: string | null };
  action: string;
  outcome: string;
  target: { type: string; id: string } | null;
  address: string | null;
  requestId: string | null;
  details: Record<string, unknown>;
};
type Log = { readonly data: readonly Entry[]; readonly nextCursor: string | null };

describe("the audit log", () => {
  let setting: Setting;
  let clock: TestClock;
  let auditor: ApiClient;
  let editor: ApiClient;
  beforeAll(async () => {
    clock = testClock();
    setting = await openSetting({ clock });
    const { world } = setting;
    auditor = setting.as(await world.key(world.people.admin, ["admin"]));
    editor = setting.as(world.people.editor);
  });
  afterAll(() => setting.close());

  /** What the log says, refusals that wait included. */
  async function log(query = ""): Promise<Log> {
    await flushAudit(setting.world.service);
    return (await auditor.get<Log>(`/api/v1/audit-log${query}`)).body;
  }
  const about = async (targetId: string): Promise<readonly Entry[]> =>
    (await log(`?targetId=${targetId}&limit=100`)).data;
  const make = async (): Promise<DocumentView> => {
    const json = { collectionId: setting.world.collections.open, title: "Zebra title", text: "Zebra text" };
    return (await editor.post<One<DocumentView>>("/api/v1/documents", json)).body.data;
  };

  describe("changes", () => {
    it("an entry says who, by what credential, what, on what, when and from where [decision.audit.changes] [decision.audit.no-secrets]", async () => {
      const { people } = setting.world;
      const { id } = await make();
      const path = `/api/v1/documents/${id}`;
      const sent = { method: "PATCH", requestId: "request-77" };
      await editor.send<object>(sent.method, path, {
        json: { title: "Other" },
        headers: { "X-Request-Id": "request-77" },
      });
      const [changed, created, ...more] = await about(id);
      expect(more).toEqual([]);
      expect(changed).toEqual({
        id: expect.any(String),
        at: clock.now().toISOString(),
        user: { id: people.editor.id, name: people.editor.name },
        credential: { kind: "api_key", id: people.editor.actor.credential.id },
        action: "documents.update",
        outcome: "success",
        target: { type: "document", id },
        address: null,
        requestId: sent.requestId,
        details: { fields: ["title"] },
      });
      expect(created).toMatchObject({
        action: "documents.create",
        target: { type: "document", id },
        details: { fields: expect.arrayContaining(["collectionId", "title", "text"]) },
      });
      expect(JSON.stringify(await about(id))).not.toContain("Zebra");
    });

    it("a change that changes nothing, a dry run and a replayed answer leave no entry [decision.audit.changes]", async () => {
      const { id, title } = await make();
      const path = `/api/v1/documents/${id}`;
      await editor.patch<object>(path, { title });
      await editor.post<object>(`${path}/edits`, { op: "append", markdown: "x", dryRun: true });
      await editor.post<object>(`${path}/unarchive`);
      await editor.post<object>(`${path}/edits`, { op: "append", markdown: "x" }, { "Idempotency-Key": "one" });
      await editor.post<object>(`${path}/edits`, { op: "append", markdown: "x" }, { "Idempotency-Key": "one" });
      expect((await about(id)).map((entry) => entry.action)).toEqual(["documents.edit", "documents.create"]);
      const open = setting.world.collections.open;
      const before = (await about(open)).length;
      await editor.patch<object>(`/api/v1/collections/${open}`, { name: "Open" });
      await editor.post<object>(`/api/v1/collections/${open}/unarchive`);
      expect((await about(open)).length).toBe(before);
    });

    it("a change that is rolled back leaves no entry and no event, whenever it fails [decision.audit.atomic]", async () => {
      const { world, database } = setting;
      const { id } = await make();
      const failing: Service = {
        ...world.service,
        database: {
          ...database,
          transaction: (run, options) =>
            database.transaction(async (tx) => {
              await run(tx);
              throw new Error("the last moment");
            }, options),
        },
      };
      const count = async (): Promise<number> => {
        const { teamId } = world;
        return (await database.client.event.count({ where: { teamId } })) + (await about(id)).length;
      };
      const before = await count();
      const change = invoke(failing, operations.updateDocument, world.people.editor.actor, { id, title: "Lost" });
      await expect(change).rejects.toThrow("the last moment");
      const conflict = { title: "Late", expectedRevision: 99 };
      expect((await editor.patch(`/api/v1/documents/${id}`, conflict)).status).toBe(409);
      expect((await editor.patch(`/api/v1/documents/${id}`, { title: 7 })).status).toBe(400);
      expect(await count()).toBe(before);
    });

    it("what the command line does is in it too [decision.audit.changes]", async () => {
      const { service, teamId } = setting.world;
      const since = clock.now().toISOString();
      const email = `audited-${teamId.slice(-12)}@example.org`;
      const user = await admin.createUser(service, { email, name: "Audited", group: "Members", team: teamId });
      const { id, key } = await admin.createApiKey(service, { userEmail: email, scopes: ["read"] });
      await admin.setPassword(service, email, "correct horse battery staple");
      await admin.suspendUser(service, email);
      await admin.setMcp(service, teamId, true);
      const input = { name: "Site", collections: [setting.world.collections.open], tags: [], team: teamId };
      const channel = await admin.createChannel(service, input);
      const { data } = await log(`?since=${since}&limit=100`);
      const told = data.filter((entry) => entry.credential.kind === "system" && entry.outcome === "success");
      expect(told.map(({ action, target }) => `${action} ${target?.id}`)).toEqual(
        expect.arrayContaining([
          `users.invite ${user.id}`,
          `apiKeys.create ${id}`,
          `users.resetPassword ${user.id}`,
          `users.suspend ${user.id}`,
          `team.update ${teamId}`,
          `channels.create ${channel.id}`,
        ]),
      );
      const founded = await admin.createTeam(service, { name: "Founded", adminEmail: `new-${email}` });
      const where = { teamId: founded.id, action: "team.create", targetId: founded.id, credentialKind: "system" };
      expect(await setting.database.client.auditEntry.count({ where })).toBe(1);
      for (const secret of [key, channel.token, "battery", email]) expect(JSON.stringify(data)).not.toContain(secret);
      await admin.setMcp(service, teamId, false);
    });
  });

  describe("refusals", () => {
    it("a missing scope, a missing permission and a forbidden thing are noted [decision.audit.denials]", async () => {
      const { world } = setting;
      const { people } = world;
      const { id } = await make();
      const path = `/api/v1/documents/${id}`;
      const readOnly = await world.key(people.editor, ["read"]);
      const channel = await admin.createChannel(world.service, {
        ...{ name: "Site", collections: [world.collections.open], tags: [], team: world.teamId },
      });
      await setting.as(readOnly).patch(path, { title: "Zebra" });
      await setting.as(people.viewer).patch(path, { title: "Zebra" });
      await setting.as(people.member).delete(path);
      await setting.as(channel.token).get(`/api/v1/published/${unknownId}/documents/${id}`);
      const told = (await about(id)).filter((entry) => entry.outcome === "denied");
      expect(
        told.map(({ user, credential, action, details }) => [action, details.code, user?.id, credential.kind]),
      ).toEqual(
        expect.arrayContaining([
          ["documents.update", "insufficient_scope", people.editor.id, "api_key"],
          ["documents.update", "forbidden", people.viewer.id, "api_key"],
          ["documents.delete", "forbidden", people.member.id, "api_key"],
          ["published.get", "forbidden", undefined, "channel_token"],
        ]),
      );
      expect(told).toHaveLength(4);
      expect(JSON.stringify(told)).not.toContain("Zebra");
    });

    it("what is hidden and what is absent are noted alike, as the id that was asked for [decision.audit.denials] [decision.api.hidden]", async () => {
      const { world } = setting;
      const member = setting.as(world.people.member);
      const ids = [world.documents.secret.id, world.documents.foreign.id, newId()];
      const [collectionId] = [world.collections.vault];
      const told: Entry[][] = [];
      for (const id of ids) {
        await member.get(`/api/v1/documents/${id}`);
        await member.patch(`/api/v1/documents/${id}`, { title: "x" });
        told.push((await about(id)).filter((entry) => entry.user?.id === world.people.member.id));
      }
      const shape = ({ action, outcome, target, details }: Entry) => ({ action, outcome, type: target?.type, details });
      for (const entries of told) {
        expect(entries.map(shape).toSorted((a, b) => (a.action < b.action ? -1 : 1))).toEqual([
          { action: "documents.get", outcome: "not_found", type: "document", details: { code: "not_found" } },
          { action: "documents.update", outcome: "not_found", type: "document", details: { code: "not_found" } },
        ]);
      }
      await member.post("/api/v1/documents", { collectionId });
      const [entry] = (await log("?action=documents.create&outcome=not_found")).data;
      expect(entry?.details).toEqual({ code: "not_found", collectionId });
    });

    it("other errors are no refusals", async () => {
      const before = (await log("?limit=1")).data;
      await editor.get("/api/v1/documents?limit=0");
      await editor.get("/api/v1/nothing");
      await setting.as(null).get("/api/v1/documents");
      expect((await log("?limit=1")).data).toEqual(before);
    });
  });

  describe("GET /api/v1/audit-log", () => {
    it("an admin's key with the scope admin reads it, an admin's log-in does in the app, nobody else [decision.audit.read]", async () => {
      const { world } = setting;
      const { people, collections } = world;
      const restrictions = { collections: { [collections.open]: "write" } } as const;
      const keys = {
        readWrite: people.admin.key,
        editors: await world.key(people.editor, ["admin"]),
        restricted: await world.key(people.admin, ["admin"], { restrictions }),
      };
      for (const [which, key] of Object.entries(keys)) {
        expect((await setting.as(key).get("/api/v1/audit-log")).status, which).toBe(403);
      }
      expect((await auditor.post("/api/audit.list", {})).status).toBe(403);
      const inApp = api(setting.app, await world.session(people.admin));
      const seen = await inApp.post<Log>("/api/audit.list", { limit: 5, outcome: "success" });
      expect(seen.status).toBe(200);
      expect(seen.body.data).toEqual((await log("?limit=5&outcome=success")).data);
      const others = api(setting.app, await world.session(people.editor));
      expect((await others.post<Failure>("/api/audit.list", {})).status).toBe(403);
    });

    it("nobody sees the log of another team [decision.audit.read]", async () => {
      const { world } = setting;
      const theirs = setting.as(await world.key(world.people.outsider, ["admin"]));
      const { data } = (await theirs.get<Log>("/api/v1/audit-log?limit=100")).body;
      expect(data.length).toBeGreaterThan(0);
      const ours = new Set((await log("?limit=100")).data.map((entry) => entry.id));
      expect(data.filter((entry) => ours.has(entry.id))).toEqual([]);
    });

    it("each filter picks what it names; a wrong one is 400 [decision.audit.paging]", async () => {
      const { people } = setting.world;
      clock.advance(60_000);
      const since = clock.now().toISOString();
      const { id } = await make();
      clock.advance(1000);
      const until = clock.now().toISOString();
      await setting.as(people.viewer).patch(`/api/v1/documents/${id}`, { title: "x" });
      const actions = async (query: string) =>
        (await log(query)).data.map((entry) => `${entry.action} ${entry.outcome}`);
      const [created, refused] = ["documents.create success", "documents.update denied"];
      expect(await actions(`?since=${since}`)).toEqual([refused, created]);
      expect(await actions(`?since=${since}&until=${until}`)).toEqual([created]);
      expect(await actions(`?since=${until}`)).toEqual([refused]);
      expect(await actions(`?since=${since}&userId=${people.viewer.id}`)).toEqual([refused]);
      expect(await actions(`?since=${since}&outcome=success`)).toEqual([created]);
      expect(await actions(`?since=${since}&action=documents.create`)).toEqual([created]);
      expect(await actions(`?targetId=${id}`)).toEqual([refused, created]);
      expect(await actions(`?targetId=${unknownId}`)).toEqual([]);
      for (const query of ["since=now", "userId=me", "targetId=x", "outcome=fine", "limit=101", "cursor=x", "page=2"]) {
        expect((await auditor.get(`/api/v1/audit-log?${query}`)).status, query).toBe(400);
      }
    });

    it("newest first, page by page, nothing twice and nothing lost, ties included [decision.audit.paging]", async () => {
      const { teamId } = setting.world;
      const at = new Date("2026-02-02T00:00:00.000Z");
      const rows = Array.from({ length: 60 }, (_, index) => ({
        ...{ teamId, id: newId(), action: "test.tie", outcome: "success", credentialKind: "none" },
        at: new Date(at.getTime() + Math.floor(index / 20)),
      }));
      await setting.database.client.auditEntry.createMany({ data: rows });
      const seen: Entry[] = [];
      let cursor = "";
      for (let pages = 0; pages === 0 || cursor !== ""; pages += 1) {
        const { data, nextCursor } = await log(`?action=test.tie&limit=7${cursor && `&cursor=${cursor}`}`);
        expect(data.length).toBe(pages < 8 ? 7 : 4);
        seen.push(...data);
        cursor = nextCursor ?? "";
      }
      expect(seen.map((entry) => entry.id)).toEqual(rows.map((row) => row.id).toReversed());
    });

    it("an index answers each filter, however long the log is [decision.audit.paging]", async () => {
      const { teamId } = setting.world;
      await setting.database.execute(sql`
        INSERT INTO audit_entries ("teamId", id, at, "userId", "credentialKind", action, outcome, "targetType", "targetId")
        SELECT CASE WHEN n % 4 = 0 THEN ${teamId}::uuid ELSE gen_random_uuid() END, gen_random_uuid(), '2026-01-01'::timestamptz + n * interval '1 s', gen_random_uuid(),
          'none', 'test.' || n % 50, 'success', 'test', gen_random_uuid() FROM generate_series(1, 20000) n`);
      await setting.database.acrossTeams.execute(sql`ANALYZE audit_entries`);
      const { rows } = setting.database;
      for (const condition of [
        sql`TRUE`,
        sql`a."userId" = ${unknownId}::uuid`,
        sql`a."targetId" = ${unknownId}::uuid`,
        sql`a.action = 'test.7'`,
        sql`a.at >= '2026-01-01' AND a.at < '2026-01-02'`,
      ]) {
        const plan = await rows<Record<string, string>>(sql`EXPLAIN SELECT * FROM audit_entries a
          WHERE a."teamId" = ${teamId}::uuid AND ${condition} ORDER BY a.at DESC, a.id DESC LIMIT 26`);
        const text = plan.map((line) => line["QUERY PLAN"]).join("\n");
        expect(text).toContain("Index Scan Backward using");
        expect(text).not.toMatch(/Seq Scan|-> +Sort/);
      }
    });
  });

  it("entries are kept for 365 days; older ones go in batches, of whatever team [decision.audit.kept]", async () => {
    const { teamId, people } = setting.world;
    const now = new Date("2030-01-01T00:00:00.000Z");
    const day = 24 * 60 * 60 * 1000;
    const entry = (ageMs: number, team = teamId) => ({
      ...{ teamId: team, id: newId(), action: "test.age", outcome: "success", credentialKind: "none" },
      at: new Date(now.getTime() - ageMs),
    });
    const { client, acrossTeams } = setting.database;
    await client.auditEntry.createMany({ data: [entry(365 * day), entry(364 * day), entry(0)] });
    const [counted] = await acrossTeams.rows<{ rows: number }>(sql`SELECT count(*)::int AS rows FROM audit_entries`);
    const old = (counted?.rows ?? 0) - 3;
    await client.auditEntry.createMany({
      data: Array.from({ length: 2500 }, () => entry(365 * day + 1, people.outsider.actor.teamId)),
    });
    const later: Service = {
      database: setting.database,
      appUrl: setting.world.service.appUrl,
      clock: { now: () => now },
    };
    expect(await sweep(later, { trashRetentionDays: 0 })).toMatchObject({ auditEntries: old + 2500 });
    expect(await sweep(later, { trashRetentionDays: 0 })).not.toHaveProperty("auditEntries");
    expect(await client.auditEntry.count({ where: { teamId } })).toBe(3);
  });
});
