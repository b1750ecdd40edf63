import { createWorld, type World } from "@kb/core/testing";
import { sql, whileBackingUp } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { type TestClock, testClock } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { invoke } from "../invoke.ts";
import { attachBytes, createDocument, updateDocument, uploadAttachment } from "../operations.ts";
import { cleanUpAttachments } from "./clean-up.ts";
import { findFile } from "./find-file.ts";

const hour = 60 * 60 * 1000;

describe("the clean-up of attachments", () => {
  let clock: TestClock;
  let test: TestDatabase;
  let world: World;
  beforeAll(async () => {
    clock = testClock();
    test = await testDatabase();
    world = await createWorld(test.database, { clock });
  });
  afterAll(() => test.drop());

  const attach = (name: string, documentId: string | null = null) =>
    invoke(world.service, attachBytes, world.people.editor.actor, { name, documentId, bytes: Buffer.from(name) });
  const isThere = async (url: string): Promise<boolean> => {
    const file = await findFile(world.service, url.split("/").at(-2) ?? "");
    return file !== null && (await file.open()) !== null;
  };

  it("what was never sent goes after a day, what no document has or mentions after a week", {
    meta: { proves: ["decision.attachments.clean-up"] },
  }, async () => {
    const { service, people, collections, documents, teamId } = world;
    const { actor } = people.editor;
    const request = { name: "late.png", contentType: "image/png", size: 9 };
    const { attachment: pending } = await invoke(service, uploadAttachment, actor, request);
    const owned = await attach("owned", documents.guide.id);
    const mentioned = await attach("mentioned");
    const formerly = await attach("formerly");
    const unused = await attach("unused");
    const text = `![m](${mentioned.url})`;
    const document = await invoke(service, createDocument, actor, { collectionId: collections.open, text });
    const other = { collectionId: collections.open, text: `[f](${formerly.url})` };
    const { id } = await invoke(service, createDocument, actor, other);
    clock.advance(hour);
    await invoke(service, updateDocument, actor, { id, text: "No more, but in its history." });

    clock.advance(22 * hour);
    expect(await cleanUpAttachments(service)).toEqual({ expired: 0, removed: 0, adopted: 0 });
    clock.advance(2 * hour);
    expect(await cleanUpAttachments(service)).toEqual({ expired: 1, removed: 0, adopted: 0 });
    clock.advance(6 * 24 * hour);
    expect(await cleanUpAttachments(service)).toEqual({ expired: 0, removed: 1, adopted: 2 });
    expect(await cleanUpAttachments(service)).toEqual({ expired: 0, removed: 0, adopted: 0 });

    const rows = await test.database.rows<{ id: string; documentId: string }>(
      sql`SELECT id, "documentId" FROM attachments WHERE "teamId" = ${teamId}::uuid`,
    );
    expect(new Map(rows.map((row) => [row.id, row.documentId]))).toEqual(
      new Map([
        [owned.id, documents.guide.id],
        [mentioned.id, document.id],
        [formerly.id, id],
      ]),
    );
    expect(rows.map((row) => row.id)).not.toContain(pending.id);
    expect(await Promise.all([owned, mentioned, formerly, unused].map(({ url }) => isThere(url)))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    const deleted = await test.database.client.event.findMany({ where: { teamId, type: "attachment.deleted" } });
    expect(deleted.map(({ data, actor: who }) => [data, who])).toEqual([
      [expect.objectContaining({ id: unused.id, title: "unused" }), expect.objectContaining({ type: "system" })],
    ]);
  });

  it("while a backup is made everything stays, and goes when it is done", async () => {
    const { service, people } = world;
    const unused = await attach("unused beside a backup");
    const request = { name: "never.png", contentType: "image/png", size: 9 };
    await invoke(service, uploadAttachment, people.editor.actor, request);
    clock.advance(8 * 24 * hour);
    const waiting = { onWait: () => {}, signal: new AbortController().signal };
    const meanwhile = await whileBackingUp(test.url, waiting, () => cleanUpAttachments(service));
    expect(meanwhile).toEqual({ expired: 0, removed: 0, adopted: 0 });
    expect(await isThere(unused.url)).toBe(true);
    expect(await cleanUpAttachments(service)).toEqual({ expired: 1, removed: 1, adopted: 0 });
    expect(await isThere(unused.url)).toBe(false);
  });
});
