import type { DocumentView } from "@kb/core";
import { newId, sql } from "@kb/db";
import type { One, Page } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppCall, eventsOf, inApp, newPerson } from "./in-app.ts";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Restrictions = { collections: Record<string, string>; documents: Record<string, string> } | null;
type Key = {
  id: string;
  name: string;
  owner: { id: string };
  scopes: string[];
  restricted: boolean;
  prefix: string;
  suffix: string;
  revokedAt: string | null;
  expiresAt: string | null;
  restrictions: Restrictions;
  key: string;
};

/** Wherever a key could be left behind. */
const dumpOfKeys = sql`SELECT row_to_json(k)::text FROM api_keys k
  UNION ALL SELECT row_to_json(e)::text FROM events e UNION ALL SELECT row_to_json(i)::text FROM idempotency_keys i
  UNION ALL SELECT row_to_json(a)::text FROM audit_entries a`;

describe("API keys in the app", () => {
  let setting: Setting;
  let editor: AppCall;
  let admin: AppCall;
  beforeAll(async () => {
    setting = await openSetting();
    editor = await inApp(setting, setting.world.people.editor);
    admin = await inApp(setting, setting.world.people.admin);
  });
  afterAll(() => setting.close());

  const create = async (input: object = {}, by: AppCall = editor): Promise<Key> => {
    const { status, body } = await by<One<Key>>("apiKeys.create", { name: "A key", scopes: ["read"], ...input });
    expect(status).toBe(201);
    return body.data;
  };
  const guide = () => `/api/v1/documents/${setting.world.documents.guide.id}`;

  it("a key is created in the app, works at once, and is shown this once [auth.key-created-in-app] [decision.app.secret-once]", async () => {
    const events = await eventsOf(setting, async () => {
      const made = await create({ name: "  Mirror ", scopes: ["read", "read"] });
      expect(made).toMatchObject({ name: "Mirror", scopes: ["read"], restricted: false, restrictions: null });
      expect(made.key.startsWith(made.prefix)).toBe(true);
      expect(made.key.endsWith(made.suffix)).toBe(true);
      expect((await setting.as(made.key).get<object>(guide())).status).toBe(200);
      expect((await setting.as(made.key).patch(guide(), { emoji: "🌱" })).status).toBe(403);
      for (const name of ["apiKeys.list", "apiKeys.info"]) {
        const shown = await editor(name, name === "apiKeys.info" ? { id: made.id } : { limit: 100 });
        expect(JSON.stringify(shown.body)).not.toContain(made.key);
      }
      const everything = await setting.database.acrossTeams.rows(dumpOfKeys);
      expect(JSON.stringify(everything)).not.toContain(made.key);
    });
    expect(events.map((event) => event.type)).toEqual(["api_key.created"]);
    expect(JSON.stringify(events)).not.toContain("kb_");
  });

  it("no key makes another, whatever its scopes", async () => {
    const all = setting.as(await setting.world.key(setting.world.people.admin, ["read", "write", "admin"]));
    const reply = await all.post("/api/apiKeys.create", { name: "Another", scopes: ["read"] });
    expect(reply).toMatchObject({ status: 403, body: { code: "forbidden" } });
  });

  it("what is wrong with a new key is told, by the name of the field", async () => {
    const past = new Date(Date.now() - 1000).toISOString();
    const { open } = setting.world.collections;
    const refused: [object, string][] = [
      [{ scopes: [] }, "scopes"],
      [{ scopes: ["everything"] }, "scopes.0"],
      [{ name: " " }, "name"],
      [{ expiresAt: past }, "expiresAt"],
      [{ expiresAt: "tomorrow" }, "expiresAt"],
      [{ owner: setting.world.people.admin.id }, "owner"],
      [{ restrictions: { collections: { open: "read" } } }, "restrictions.collections.open"],
      [{ restrictions: { collections: { [open]: "manage" } } }, `restrictions.collections.${open}`],
      [{ restrictions: { tags: {} } }, "restrictions.tags"],
    ];
    for (const [input, path] of refused) {
      const reply = await editor("apiKeys.create", { name: "Wrong", scopes: ["read"], ...input });
      expect(reply, JSON.stringify(input)).toMatchObject({ status: 400, body: { details: [{ path }] } });
    }
  });

  it("restrictions name what the owner may see, and narrow the key [decision.app.key-restrictions]", async () => {
    const { open, readable, vault, foreign } = setting.world.collections;
    const { secret, trashed } = setting.world.documents;
    for (const restrictions of [
      { collections: { [vault]: "read" } },
      { collections: { [foreign]: "read" } },
      { collections: { [unknownId]: "read" } },
      { documents: { [secret.id]: "read" } },
      { documents: { [trashed.id]: "read" } },
      { documents: { [unknownId]: "none" } },
    ]) {
      const reply = await editor("apiKeys.create", { name: "Wide", scopes: ["read"], restrictions });
      expect(reply, JSON.stringify(restrictions)).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
    const restrictions = { collections: { [readable.toUpperCase()]: "read" }, documents: {} };
    const made = await create({ restrictions });
    expect(made).toMatchObject({ restricted: true, restrictions: { collections: { [readable]: "read" } } });
    const client = setting.as(made.key);
    expect((await client.get<object>(`/api/v1/collections/${readable}`)).status).toBe(200);
    expect((await client.get(`/api/v1/collections/${open}`)).status).toBe(404);
  });

  it("restrictions never raise a key above its owner [decision.app.key-restrictions] [decision.access.key-owner]", async () => {
    const { readable } = setting.world.collections;
    const member = await inApp(setting, setting.world.people.member);
    const made = await create(
      { scopes: ["read", "write"], restrictions: { collections: { [readable]: "write" } } },
      member,
    );
    expect((await setting.as(made.key).post("/api/v1/documents", { collectionId: readable })).status).toBe(403);
  });

  it("restrictions change at once, are lifted by null, and end sync cursors [decision.app.key-restrictions] [decision.sync.access-changed]", async () => {
    const { open } = setting.world.collections;
    const { id, key } = await create();
    const client = setting.as(key);
    const sync = "/api/v1/documents?updatedSince=1970-01-01T00:00:00Z";
    const { nextCursor } = (await client.get<{ nextCursor: string }>(sync)).body;
    const update = (input: object) => editor<One<Key>>("apiKeys.update", { id, ...input });
    expect((await update({ restrictions: {} })).body.data).toMatchObject({
      restricted: true,
      restrictions: { collections: {}, documents: {} },
    });
    expect((await client.get(guide())).status).toBe(404);
    expect((await client.get(`/api/v1/documents?cursor=${nextCursor}`)).status).toBe(410);
    const { body } = await update({ name: "Renamed", restrictions: { collections: { [open]: "read" } } });
    expect(body.data).toMatchObject({ name: "Renamed", restrictions: { collections: { [open]: "read" } } });
    expect((await client.get<object>(guide())).status).toBe(200);
    expect((await update({ name: "Again" })).body.data.restricted).toBe(true);
    expect((await update({ restrictions: null })).body.data).toMatchObject({ restricted: false, restrictions: null });
    expect((await update({ scopes: ["admin"] })).status).toBe(400);
  });

  it("a revoked key is refused with the next request; a repeat keeps the first time [decision.app.at-once]", async () => {
    const { id, key } = await create();
    const client = setting.as(key);
    expect((await client.get<object>(guide())).status).toBe(200);
    let first: Key | undefined;
    const events = await eventsOf(setting, async () => {
      first = (await editor<One<Key>>("apiKeys.revoke", { id })).body.data;
      expect((await client.get(guide())).status).toBe(401);
      expect((await editor<One<Key>>("apiKeys.revoke", { id })).body.data).toEqual(first);
    });
    expect(events).toEqual([{ type: "api_key.revoked", data: expect.objectContaining({ id }) }]);
    expect(await editor("apiKeys.update", { id, name: "Back" })).toMatchObject({ status: 409 });
    const listed = async (input: object) =>
      (await editor<Page<Key>>("apiKeys.list", { limit: 100, ...input })).body.data.map((row) => row.id);
    expect(await listed({})).not.toContain(id);
    expect(await listed({ revoked: true })).toContain(id);
  });

  it("everybody sees their own keys; who looks after the people sees and revokes all", async () => {
    const person = await newPerson(setting, "Members");
    const member = await inApp(setting, person);
    const { id, key } = await create({}, member);
    const list = async (by: AppCall, input: object = {}) =>
      (await by<Page<Key>>("apiKeys.list", { limit: 100, ...input })).body;
    expect(new Set((await list(member)).data.map((row) => row.owner.id))).toEqual(new Set([person.id]));
    const all = await list(admin);
    expect(new Set(all.data.map((row) => row.owner.id)).size).toBeGreaterThan(3);
    expect((await list(admin, { userId: person.id })).data.map((row) => row.id)).toContain(id);
    expect((await list(editor, { userId: person.id })).total).toBe(0);
    for (const name of ["apiKeys.info", "apiKeys.update", "apiKeys.revoke"]) {
      expect(await editor(name, { id }), name).toMatchObject({ status: 404, body: { error: "API key not found" } });
      const outsider = await inApp(setting, setting.world.people.outsider);
      expect(await outsider(name, { id }), name).toMatchObject({ status: 404 });
    }
    expect(await admin("apiKeys.update", { id, name: "Theirs" })).toMatchObject({ status: 404 });
    expect((await admin("apiKeys.revoke", { id })).status).toBe(200);
    expect((await setting.as(key).get(guide())).status).toBe(401);
  });

  it("what somebody may not read is not told among the restrictions of another's key", async () => {
    const { granted } = setting.world.collections;
    const member = await inApp(setting, setting.world.people.member);
    const { id } = await create({ restrictions: { collections: { [granted]: "read" } } }, member);
    const { admin: boss } = setting.world.people;
    await setting.database.client.collectionGrant.deleteMany({
      where: { teamId: setting.world.teamId, collectionId: granted, userId: boss.id },
    });
    const { body } = await admin<One<Key>>("apiKeys.info", { id });
    expect(body.data).toMatchObject({ restricted: true, restrictions: { collections: {} } });
    expect(JSON.stringify(body)).not.toContain(granted);
  });

  it("a document that is destroyed leaves the restrictions", async () => {
    const client = setting.as(setting.world.people.admin);
    const json = { collectionId: setting.world.collections.open, title: newId() };
    const { id: document } = (await client.post<One<DocumentView>>("/api/v1/documents", json)).body.data;
    const { id } = await create({ restrictions: { documents: { [document]: "read" } } });
    await client.delete<object>(`/api/v1/documents/${document}`);
    await admin("documents.destroy", { id: document });
    const { body } = await editor<One<Key>>("apiKeys.info", { id });
    expect(body.data.restrictions).toEqual({ collections: {}, documents: {} });
  });
});
