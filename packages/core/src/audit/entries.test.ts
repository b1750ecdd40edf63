import { callerOf, channelReaderOf, openChannel, outcomeOf, unknownId } from "@kb/core/testing";
import { newId, sql } from "@kb/db";
import { testClock } from "@kb/testing";
import { describe, expect, it } from "vitest";
import * as admin from "../admin/index.ts";
import { invoke } from "../invoke.ts";
import * as operations from "../operations.ts";
import { testWorld } from "../testing/test-world.ts";
import { flushAudit } from "./queue.ts";

const clock = testClock();
const { test, world } = await testWorld({ clock });
const auditor = callerOf(world, await world.key(world.people.admin, ["admin"]));
const editor = callerOf(world, world.people.editor);

/** Returns at most 100 entries, including refusals that wait to be written. */
async function list(input: object = {}) {
  await flushAudit(world.service);
  return (await auditor.run(operations.listAuditLog, { limit: 100, ...input })).data;
}
const entriesAbout = (targetId: string) => list({ targetId });
const create = () => editor.create({ title: "Zebra title", text: "Zebra text" });

describe("the entry of a change", () => {
  it("names the user, the credential, the action, the target and the time, and contains nothing that was written", {
    meta: { proves: ["decision.audit.changes", "decision.audit.no-secrets"] },
  }, async () => {
    const { id: userId, name, actor } = world.people.editor;
    const { id } = await create();
    await editor.update(id, { title: "Other" }, { requestId: "request-77", address: "192.0.2.7" });
    const [changed, created, ...more] = await entriesAbout(id);
    expect(more).toEqual([]);
    expect(changed).toEqual({
      id: expect.any(String),
      at: clock.now().toISOString(),
      user: { id: userId, name },
      credential: { kind: "api_key", id: actor.credential.id },
      action: "documents.update",
      outcome: "success",
      target: { type: "document", id },
      address: "192.0.2.7",
      requestId: "request-77",
      details: { fields: ["title"] },
    });
    expect(created).toMatchObject({
      action: "documents.create",
      target: { type: "document", id },
      details: { fields: expect.arrayContaining(["collectionId", "title", "text"]) },
    });
    expect(JSON.stringify(await entriesAbout(id))).not.toContain("Zebra");
  });

  it("is left out for a change without effect, a dry run and a replayed answer", {
    meta: { proves: ["decision.audit.changes"] },
  }, async () => {
    const { open } = world.collections;
    const { id, title } = await create();
    const append = { op: "append", markdown: "x" };
    await editor.update(id, { title });
    await editor.previewEdit(id, append);
    await editor.unarchive(id);
    const idempotency = { key: "one", requestHash: new Uint8Array(32) };
    await editor.edit(id, append, { idempotency });
    await editor.edit(id, append, { idempotency });
    const actions = (await entriesAbout(id)).map((entry) => entry.action);
    expect(actions).toEqual(["documents.edit", "documents.create"]);
    const before = (await entriesAbout(open)).length;
    await editor.updateCollection(open, { name: "Open" });
    await editor.unarchiveCollection(open);
    expect((await entriesAbout(open)).length).toBe(before);
  });

  it("is rolled back with its change and its event, at whatever point the change fails", {
    meta: { proves: ["decision.audit.atomic"] },
  }, async () => {
    const { database } = test;
    const { id } = await create();
    // PostgreSQL runs it at the commit, after every statement of the change.
    await database.acrossTeams.execute(
      sql([
        `CREATE FUNCTION fail_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the last moment'; END $$`,
      ]),
    );
    await database.acrossTeams.execute(
      sql([
        `CREATE CONSTRAINT TRIGGER late AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
          WHEN (NEW."teamId" IS NOT NULL AND NEW."documentId" = '${id}') EXECUTE FUNCTION fail_at_commit()`,
      ]),
    );
    const count = async () =>
      (await database.client.event.count({ where: { teamId: world.teamId } })) + (await entriesAbout(id)).length;
    const before = await count();
    const change = invoke(world.service, operations.updateDocument, world.people.editor.actor, { id, title: "Lost" });
    await expect(change).rejects.toThrow("the last moment");
    expect(await outcomeOf(editor.update(id, { title: "Late", expectedRevision: 99 }))).toBe("revision_conflict");
    expect(await outcomeOf(editor.update(id, { title: 7 }))).toBe("validation_error");
    expect(await count()).toBe(before);
  });

  it("is also written for a change by the command line", { meta: { proves: ["decision.audit.changes"] } }, async () => {
    const { service, teamId } = world;
    const since = clock.now().toISOString();
    const email = `audited-${teamId.slice(-12)}@example.org`;
    const user = await admin.createUser(service, { email, name: "Audited", group: "Members", team: teamId });
    const { id, key } = await admin.createApiKey(service, { userEmail: email, scopes: ["read"] });
    await admin.setPassword(service, email, "correct horse battery staple");
    await admin.suspendUser(service, email);
    await admin.setMcp(service, teamId, true);
    const channel = await openChannel(world, { collections: [world.collections.open] });
    const entries = await list({ since });
    const done = entries.filter((entry) => entry.credential.kind === "system" && entry.outcome === "success");
    expect(done.map(({ action, target }) => `${action} ${target?.id}`)).toEqual(
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
    expect(await test.database.client.auditEntry.count({ where })).toBe(1);
    for (const secret of [key, channel.token, "battery", email]) expect(JSON.stringify(entries)).not.toContain(secret);
    await admin.setMcp(service, teamId, false);
  });
});

describe("the entry of a refusal", () => {
  it("is written for a missing scope, a missing permission and a forbidden thing", {
    meta: { proves: ["decision.audit.denials"] },
  }, async () => {
    const { people } = world;
    const { id } = await create();
    const reader = callerOf(world, await world.key(people.editor, ["read"]));
    const { token } = await openChannel(world, { collections: [world.collections.open] });
    await outcomeOf(reader.update(id, { title: "Zebra" }));
    await outcomeOf(callerOf(world, people.viewer).update(id, { title: "Zebra" }));
    await outcomeOf(callerOf(world, people.member).delete(id));
    await outcomeOf(channelReaderOf(world, unknownId, token).get(id));
    const denied = (await entriesAbout(id)).filter((entry) => entry.outcome === "denied");
    const facts = denied.map(({ user, credential, action, details }) => [
      action,
      details.code,
      user?.id,
      credential.kind,
    ]);
    expect(facts).toEqual(
      expect.arrayContaining([
        ["documents.update", "insufficient_scope", people.editor.id, "api_key"],
        ["documents.update", "forbidden", people.viewer.id, "api_key"],
        ["documents.delete", "forbidden", people.member.id, "api_key"],
        ["published.get", "forbidden", undefined, "channel_token"],
      ]),
    );
    expect(denied).toHaveLength(4);
    expect(JSON.stringify(denied)).not.toContain("Zebra");
  });

  it("does not distinguish what is hidden from what is absent, and names the requested id", {
    meta: { proves: ["decision.audit.denials", "decision.api.hidden"] },
  }, async () => {
    const { member: person } = world.people;
    const member = callerOf(world, person);
    const refused = { outcome: "not_found", type: "document", details: { code: "not_found" } };
    for (const id of [world.documents.secret.id, world.documents.foreign.id, newId()]) {
      await outcomeOf(member.get(id));
      await outcomeOf(member.update(id, { title: "x" }));
      const entries = (await entriesAbout(id)).filter((entry) => entry.user?.id === person.id);
      const facts = entries.map(({ action, outcome, target, details }) => ({
        action,
        outcome,
        type: target?.type,
        details,
      }));
      expect(facts.toSorted((a, b) => (a.action < b.action ? -1 : 1))).toEqual([
        { action: "documents.get", ...refused },
        { action: "documents.update", ...refused },
      ]);
    }
    const collectionId = world.collections.vault;
    await outcomeOf(member.create({ collectionId }));
    const [entry] = await list({ action: "documents.create", outcome: "not_found" });
    expect(entry?.details).toEqual({ code: "not_found", collectionId });
  });
});
