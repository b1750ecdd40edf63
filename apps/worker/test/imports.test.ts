import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { invoke, operations } from "@kb/core";
import { inApp } from "@kb/core/testing";
import { newId, sql } from "@kb/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ImportSetting, openImportSetting, send, zipOf } from "./import-setting.ts";

let setting: ImportSetting;
beforeAll(async () => {
  setting = await openImportSetting();
});
afterAll(() => setting?.close());

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const notes = {
  "Guide.md": "---\ntags: [setup]\nunknown: 1\n---\n# Guide\n\nSee [the other](Other%20page.md) and ![dot](dot.png).\n",
  "Other page.md": "Text with [nothing](missing.md).\n",
  "dot.png": png,
  "bad.md": new Uint8Array([0xff, 0x00, 0xfe]),
};

const leftovers = (): string[] => {
  const folder = join(setting.settings.dataDir, "imports");
  return existsSync(folder) ? readdirSync(folder) : [];
};

async function newCollection(name: string): Promise<string> {
  const { service, world } = setting;
  return (await invoke(service, operations.createCollection, inApp(world.people.editor), { name })).id;
}

describe("imports in the app", { timeout: 240_000 }, () => {
  beforeAll(() => void setting.work());

  it("an archive becomes documents with their links and files, a list of what was not understood, and an audited end", {
    meta: { proves: ["decision.app.import", "decision.app.import-explained"] },
  }, async () => {
    const { editor } = setting.world.people;
    const collectionId = await newCollection("Notes");
    const id = await setting.begin(editor, { name: "notes.zip", bytes: await zipOf(notes), input: { collectionId } });
    const shown = await setting.ended(editor, id);
    expect(shown).toMatchObject({ status: "done", files: 3, failure: null, canContinue: false });
    expect(shown.collection).toEqual({ id: collectionId, name: "Notes" });
    expect(shown.result).toMatchObject({ imported: 2, linked: 1, attached: 1, unusedKeys: { unknown: 1 } });
    expect(shown.result?.problems.map(({ kind, path }) => [kind, path])).toEqual([
      ["skipped", "bad.md"],
      ["unresolved_link", "Other page.md"],
    ]);
    expect(shown.result?.problems.map(({ explanation }) => explanation)).toEqual([
      { code: "not_text", values: {} },
      null,
    ]);
    expect(await setting.titles(editor, collectionId)).toEqual(["Guide", "Other page"]);
    const problem = shown.result?.problems[1];
    const linked = await invoke(setting.service, operations.getDocument, inApp(editor), {
      id: problem?.documentId ?? "",
    });
    expect(linked).toMatchObject({ title: "Other page", createdById: editor.id });
    const { data } = await invoke(setting.service, operations.listAuditLog, inApp(setting.world.people.admin), {
      limit: 20,
    });
    const about = data.filter(({ target }) => target?.id === id);
    expect(about.map(({ action, outcome, user }) => [action, outcome, user?.id])).toEqual([
      ["imports.finish", "success", editor.id],
      ["imports.create", "success", editor.id],
    ]);
  });

  it("a single Markdown file becomes one document, and its title is that of the file", async () => {
    const { editor } = setting.world.people;
    const collectionId = await newCollection("Single");
    const id = await setting.begin(editor, { name: "Plan B.md", bytes: Buffer.from("Text"), input: { collectionId } });
    expect(await setting.ended(editor, id)).toMatchObject({ status: "done", files: 1, result: { imported: 1 } });
    expect(await setting.titles(editor, collectionId)).toEqual(["Plan B"]);
  });

  it("a dry run writes nothing, and is continued into a collection", async () => {
    const { editor } = setting.world.people;
    const input = { collectionId: undefined, newCollection: "Later", dryRun: true };
    const id = await setting.begin(editor, { name: "notes.zip", bytes: await zipOf(notes), input });
    const tried = await setting.ended(editor, id);
    expect(tried).toMatchObject({ status: "done", dryRun: true, newCollection: "Later", canContinue: true });
    expect(tried.result).toMatchObject({ imported: 2 });
    const collectionId = await newCollection("Later");
    expect(await setting.titles(editor, collectionId)).toEqual([]);
    const continued = await invoke(setting.service, operations.continueImport, inApp(editor), { id, collectionId });
    expect(continued).toMatchObject({ status: "queued", dryRun: false });
    expect(await setting.ended(editor, id)).toMatchObject({ status: "done", result: { imported: 2 } });
    expect(await setting.titles(editor, collectionId)).toEqual(["Guide", "Other page"]);
  });

  it("an export of the service is restored as it was", async () => {
    const { editor } = setting.world.people;
    const manifest = {
      version: 1,
      exportedAt: "2026-01-01T00:00:00.000Z",
      documents: [
        { path: "b.md", title: "Zebra", tags: ["one"], emoji: "🦓", publishedAt: null, revision: 1 },
        { path: "a.md", title: "Ant", tags: [], emoji: null, publishedAt: "2026-01-01T00:00:00.000Z", revision: 1 },
      ],
    };
    const bytes = await zipOf({
      "manifest.json": JSON.stringify(manifest),
      "a.md": "---\ntitle: Ant\n---\n\nText",
      "b.md": "---\ntitle: Zebra\ntags:\n  - one\nemoji: 🦓\ndraft: true\n---\n\nText",
    });
    const collectionId = await newCollection("Export");
    const id = await setting.begin(editor, { name: "Export.zip", bytes, input: { collectionId } });
    expect(await setting.ended(editor, id)).toMatchObject({ status: "done", result: { imported: 2, problems: [] } });
    const { data } = await invoke(setting.service, operations.listDocuments, inApp(editor), {
      collectionId,
      sort: "sortOrder",
    });
    expect(data).toMatchObject([
      { title: "Zebra", emoji: "🦓", publishedAt: null },
      { title: "Ant", emoji: null },
    ]);
  });

  it.each([
    [
      "zeros.zip",
      () => zipOf({ "a.md": new Uint8Array(80 * 1024 * 1024) }),
      "payload_too_large",
      { code: "unpacks_out_of_proportion", values: { name: "zeros.zip", limit: 200 } },
    ],
    [
      "broken.zip",
      async () => Buffer.concat([(await zipOf(notes)).subarray(0, 200), Buffer.alloc(50)]),
      "usage",
      { code: "no_archive", values: { name: "broken.zip" } },
    ],
  ])(
    "%s fails with its reason, and leaves no files behind",
    {
      meta: { proves: ["decision.app.import-bounds", "decision.app.import-explained"] },
    },
    async (name, bytes, code, explanation) => {
      const { editor } = setting.world.people;
      const id = await setting.begin(editor, { name, bytes: await bytes() });
      const shown = await setting.ended(editor, id);
      expect(shown).toMatchObject({ status: "failed", failure: { code, explanation }, result: null });
      expect(shown.failure?.message).toContain(name);
      expect(leftovers()).toEqual([]);
    },
  );

  it("names that lead out of the archive are unpacked inside it", {
    meta: { proves: ["decision.app.import-bounds"] },
  }, async () => {
    const { editor } = setting.world.people;
    const collectionId = await newCollection("Escape");
    const bytes = await zipOf({ "../../escape.md": "Out", "/etc/passwd.md": "Root" });
    const id = await setting.begin(editor, { name: "escape.zip", bytes, input: { collectionId } });
    expect(await setting.ended(editor, id)).toMatchObject({ status: "done", result: { imported: 2 } });
    expect(leftovers()).toEqual([]);
  });

  it("an import of somebody who was suspended meanwhile writes nothing", {
    meta: { proves: ["decision.app.import"] },
  }, async () => {
    const { world, service } = setting;
    const { member, admin } = world.people;
    const collectionId = await newCollection("Suspended");
    await service.database.execute(sql`UPDATE users SET "suspendedAt" = now() WHERE "teamId" = ${world.teamId}::uuid
      AND id = ${member.id}::uuid`);
    const id = await waitingFor(member.id, collectionId);
    await expect
      .poll(
        async () => (await service.database.client.import.findFirst({ where: { teamId: world.teamId, id } }))?.status,
        { timeout: 200_000 },
      )
      .toBe("failed");
    expect(await setting.titles(admin, collectionId)).toEqual([]);
    await service.database.execute(sql`UPDATE users SET "suspendedAt" = NULL WHERE "teamId" = ${world.teamId}::uuid
      AND id = ${member.id}::uuid`);
  });

  /** Puts an import into the queue, as if its user had been suspended after the upload. */
  async function waitingFor(userId: string, collectionId: string): Promise<string> {
    const { service, world } = setting;
    const { teamId } = world;
    const id = newId();
    const storageKey = `${teamId}/imports/${id}/file`;
    await service.files.store.put(storageKey, pieces(await zipOf(notes)), "application/zip");
    const now = new Date();
    const options = { dryRun: false, update: false, publish: true, textTags: false, newCollection: null };
    const row = { name: "notes.zip", size: 1, options, status: "queued", storageKey, createdAt: now };
    const upload = { uploadHash: new Uint8Array(32), uploadExpiresAt: now };
    await service.database.client.import.create({ data: { teamId, id, userId, collectionId, ...row, ...upload } });
    return id;
  }
});

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

describe("the file of an import", () => {
  it("is taken once, at most of its declared size, and only of its kind", async () => {
    const { service, world } = setting;
    const editor = inApp(world.people.editor);
    const create = (name: string, size: number) =>
      invoke(service, operations.createImport, editor, { name, size, collectionId: world.collections.open });
    const { uploadUrl, import: made } = await create("notes.zip", 10);
    await expect(send(service, uploadUrl, new Uint8Array(11))).rejects.toMatchObject({ code: "payload_too_large" });
    await expect(send(service, uploadUrl, Buffer.from("no zip"))).rejects.toMatchObject({
      code: "unsupported_media_type",
    });
    await expect(send(service, `${uploadUrl}x`, Buffer.from("no zip"))).rejects.toMatchObject({
      code: "invalid_token",
    });
    await invoke(service, operations.stopImport, editor, { id: made.id });
    await expect(send(service, uploadUrl, Buffer.from("PK"))).rejects.toMatchObject({ code: "conflict" });
    await expect(create("notes.exe", 10)).rejects.toMatchObject({ code: "validation_error" });
    await expect(create("notes.zip", 10 ** 12)).rejects.toMatchObject({ code: "payload_too_large" });
  });

  it("three imports of a user may wait at once, and those of others are hidden", {
    meta: { proves: ["decision.app.import-bounds"] },
  }, async () => {
    const { service, world } = setting;
    const viewerOf = inApp(world.people.admin);
    const member = inApp(world.people.member);
    const input = { name: "notes.zip", size: 10, collectionId: world.collections.open };
    const begun = await Promise.allSettled(
      Array.from({ length: 8 }, () => invoke(service, operations.createImport, member, input)),
    );
    expect(begun.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    const [own] = await invoke(service, operations.listImports, member, {});
    const id = own?.id ?? "";
    for (const operation of [operations.getImport, operations.stopImport, operations.continueImport]) {
      await expect(invoke(service, operation, viewerOf, { id })).rejects.toMatchObject({ code: "not_found" });
    }
    for (const each of await invoke(service, operations.listImports, member, {})) {
      await invoke(service, operations.stopImport, member, { id: each.id });
    }
  });
});
