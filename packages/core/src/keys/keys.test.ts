import {
  addPerson,
  callerOf,
  eventsDuring,
  outcomeOf,
  sessionCallerOf,
  type TestCaller,
  unknownId,
} from "@kb/core/testing";
import { newId, sql } from "@kb/db";
import { describe, expect, it } from "vitest";
import * as operations from "../operations.ts";
import { testWorld } from "../testing/test-world.ts";

/** The rows of every table that could contain a key. */
const possibleCopies = sql`SELECT row_to_json(k)::text FROM api_keys k
  UNION ALL SELECT row_to_json(e)::text FROM events e UNION ALL SELECT row_to_json(i)::text FROM idempotency_keys i
  UNION ALL SELECT row_to_json(a)::text FROM audit_entries a`;

const { test, world } = await testWorld();
const editor = await sessionCallerOf(world, world.people.editor);
const admin = await sessionCallerOf(world, world.people.admin);

const create = (input: object = {}, by: TestCaller = editor) =>
  by.run(operations.createApiKey, { name: "A key", scopes: ["read"], ...input });
const listIds = async (by: TestCaller, input: object = {}) =>
  (await by.run(operations.listApiKeys, { limit: 100, ...input })).data.map((row) => row.id);
const readGuide = (by: TestCaller) => outcomeOf(by.get(world.documents.guide.id));

describe("a new key", () => {
  it("works at once, and only the answer that creates it contains it", {
    meta: { proves: ["auth.key-created-in-app", "decision.app.secret-once"] },
  }, async () => {
    const events = await eventsDuring(world, async () => {
      const made = await create({ name: "  Mirror ", scopes: ["read", "read"] });
      expect(made).toMatchObject({ name: "Mirror", scopes: ["read"], restricted: false, restrictions: null });
      expect(made.key.startsWith(made.prefix)).toBe(true);
      expect(made.key.endsWith(made.suffix)).toBe(true);
      const holder = callerOf(world, made.key);
      expect(await readGuide(holder)).toBe("done");
      expect(await outcomeOf(holder.update(world.documents.guide.id, { emoji: "🌱" }))).toBe("insufficient_scope");
      const list = await editor.run(operations.listApiKeys, { limit: 100 });
      const info = await editor.run(operations.getApiKey, { id: made.id });
      const rows = await test.database.acrossTeams.rows(possibleCopies);
      expect(JSON.stringify({ list, info, rows })).not.toContain(made.key);
    });
    expect(events.map((event) => event.type)).toEqual(["api_key.created"]);
    expect(JSON.stringify(events)).not.toContain("kb_");
  });

  it("is never created with another key, whatever the scopes of that key", async () => {
    const all = callerOf(world, await world.key(world.people.admin, ["read", "write", "admin"]));
    expect(await outcomeOf(create({}, all))).toBe("forbidden");
  });

  it("is rejected with the path of each invalid field", async () => {
    const past = new Date(Date.now() - 1000).toISOString();
    const { open } = world.collections;
    const refused: [object, string][] = [
      [{ scopes: [] }, "scopes"],
      [{ scopes: ["everything"] }, "scopes.0"],
      [{ name: " " }, "name"],
      [{ expiresAt: past }, "expiresAt"],
      [{ expiresAt: "tomorrow" }, "expiresAt"],
      [{ owner: world.people.admin.id }, "owner"],
      [{ restrictions: { collections: { open: "read" } } }, "restrictions.collections.open"],
      [{ restrictions: { collections: { [open]: "manage" } } }, `restrictions.collections.${open}`],
      [{ restrictions: { tags: {} } }, "restrictions.tags"],
    ];
    for (const [input, path] of refused) {
      const error = { code: "validation_error", details: [{ path }] };
      await expect(create(input), JSON.stringify(input)).rejects.toMatchObject(error);
    }
  });
});

describe("the restrictions of a key", () => {
  it("name only what the owner can see, and narrow the key to it", {
    meta: { proves: ["decision.app.key-restrictions"] },
  }, async () => {
    const { open, readable, vault, foreign } = world.collections;
    const { secret, trashed } = world.documents;
    for (const restrictions of [
      { collections: { [vault]: "read" } },
      { collections: { [foreign]: "read" } },
      { collections: { [unknownId]: "read" } },
      { documents: { [secret.id]: "read" } },
      { documents: { [trashed.id]: "read" } },
      { documents: { [unknownId]: "none" } },
    ]) {
      expect(await outcomeOf(create({ restrictions })), JSON.stringify(restrictions)).toBe("not_found");
    }
    const restrictions = { collections: { [readable.toUpperCase()]: "read" }, documents: {} };
    const made = await create({ restrictions });
    expect(made).toMatchObject({ restricted: true, restrictions: { collections: { [readable]: "read" } } });
    const holder = callerOf(world, made.key);
    expect(await outcomeOf(holder.getCollection(readable))).toBe("done");
    expect(await outcomeOf(holder.getCollection(open))).toBe("not_found");
  });

  it("never give a key more access than its owner has", {
    meta: { proves: ["decision.app.key-restrictions", "decision.access.key-owner"] },
  }, async () => {
    const { readable } = world.collections;
    const member = await sessionCallerOf(world, world.people.member);
    const restrictions = { collections: { [readable]: "write" } };
    const made = await create({ scopes: ["read", "write"], restrictions }, member);
    expect(await outcomeOf(callerOf(world, made.key).create({ collectionId: readable }))).toBe("forbidden");
  });

  it("change at once, are removed by null, and end the key's sync cursors", {
    meta: { proves: ["decision.app.key-restrictions", "decision.sync.access-changed"] },
  }, async () => {
    const { open } = world.collections;
    const { id, key } = await create();
    const holder = callerOf(world, key);
    const { nextCursor: cursor } = await holder.sync({ updatedSince: "1970-01-01T00:00:00Z" });
    const update = (input: object) => editor.run(operations.updateApiKey, { id, ...input });
    expect(await update({ restrictions: {} })).toMatchObject({
      restricted: true,
      restrictions: { collections: {}, documents: {} },
    });
    expect(await readGuide(holder)).toBe("not_found");
    expect(await outcomeOf(holder.sync({ cursor }))).toBe("sync_window_expired");
    expect(await update({ name: "Renamed", restrictions: { collections: { [open]: "read" } } })).toMatchObject({
      name: "Renamed",
      restrictions: { collections: { [open]: "read" } },
    });
    expect(await readGuide(holder)).toBe("done");
    expect(await update({ name: "Again" })).toMatchObject({ restricted: true });
    expect(await update({ restrictions: null })).toMatchObject({ restricted: false, restrictions: null });
    expect(await outcomeOf(update({ scopes: ["admin"] }))).toBe("validation_error");
  });

  it("show a reader no collection that they cannot read", async () => {
    const { granted } = world.collections;
    const member = await sessionCallerOf(world, world.people.member);
    const { id } = await create({ restrictions: { collections: { [granted]: "read" } } }, member);
    await test.database.client.collectionGrant.deleteMany({
      where: { teamId: world.teamId, collectionId: granted, userId: world.people.admin.id },
    });
    const info = await admin.run(operations.getApiKey, { id });
    expect(info).toMatchObject({ restricted: true, restrictions: { collections: {} } });
    expect(JSON.stringify(info)).not.toContain(granted);
  });

  it("no longer contain a document after it is destroyed", async () => {
    const boss = callerOf(world, world.people.admin);
    const document = (await boss.create({ title: newId() })).id;
    const { id } = await create({ restrictions: { documents: { [document]: "read" } } });
    await boss.delete(document);
    await admin.run(operations.destroyDocument, { id: document });
    const { restrictions } = await editor.run(operations.getApiKey, { id });
    expect(restrictions).toEqual({ collections: {}, documents: {} });
  });
});

it("a revoked key is refused with the next call, and a repeat keeps the first time", {
  meta: { proves: ["decision.app.at-once"] },
}, async () => {
  const { id, key } = await create();
  const holder = callerOf(world, key);
  const revoke = () => editor.run(operations.revokeApiKey, { id });
  expect(await readGuide(holder)).toBe("done");
  const events = await eventsDuring(world, async () => {
    const first = await revoke();
    expect(await readGuide(holder)).toBe("authentication_required");
    expect(await revoke()).toEqual(first);
  });
  expect(events).toEqual([{ type: "api_key.revoked", data: expect.objectContaining({ id }) }]);
  expect(await outcomeOf(editor.run(operations.updateApiKey, { id, name: "Back" }))).toBe("conflict");
  expect(await listIds(editor)).not.toContain(id);
  expect(await listIds(editor, { revoked: true })).toContain(id);
});

it("a user sees only their own keys; a user who manages people sees and revokes all of the team's", async () => {
  const person = await addPerson(world, "Members");
  const member = await sessionCallerOf(world, person);
  const outsider = await sessionCallerOf(world, world.people.outsider);
  const { id, key } = await create({}, member);
  const ownersSeenBy = async (by: TestCaller) =>
    new Set((await by.run(operations.listApiKeys, { limit: 100 })).data.map((row) => row.owner.id));
  expect(await ownersSeenBy(member)).toEqual(new Set([person.id]));
  expect((await ownersSeenBy(admin)).size).toBeGreaterThan(3);
  expect(await listIds(admin, { userId: person.id })).toContain(id);
  expect(await listIds(editor, { userId: person.id })).toEqual([]);
  const error = { code: "not_found", message: "API key not found" };
  for (const by of [editor, outsider]) {
    await expect(by.run(operations.getApiKey, { id })).rejects.toMatchObject(error);
    await expect(by.run(operations.updateApiKey, { id })).rejects.toMatchObject(error);
    await expect(by.run(operations.revokeApiKey, { id })).rejects.toMatchObject(error);
  }
  expect(await outcomeOf(admin.run(operations.updateApiKey, { id, name: "Theirs" }))).toBe("not_found");
  expect(await outcomeOf(admin.run(operations.revokeApiKey, { id }))).toBe("done");
  expect(await readGuide(callerOf(world, key))).toBe("authentication_required");
});
