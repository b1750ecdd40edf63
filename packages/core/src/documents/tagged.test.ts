import { type Actor, authenticateChannelToken, type ChannelReader } from "@kb/auth";
import { createWorld, type World } from "@kb/core/testing";
import { sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as admin from "../admin/index.ts";
import { invoke } from "../invoke.ts";
import * as operations from "../operations.ts";
import type { DocumentView } from "../schema/document.ts";

// A page of a tag is found by reading on in its order, or by looking up all that carry it. Which of both it was must not show:
// each page is compared with what is picked out of the list of everything.

/** `most` is spread evenly; `eldest` is only on those that changed first, which no page of the newest reaches. */
const tags = { most: "most", eldest: "eldest", few: "few" } as const;
const made = 90;

let test: TestDatabase;
let world: World;
let everybody: readonly Actor[];
let channel: ChannelReader;
beforeAll(async () => {
  test = await testDatabase();
  world = await createWorld(test.database);
  const { service, collections, people } = world;
  const boss = people.admin.actor;
  const root = await invoke(service, operations.createDocument, boss, {
    title: "Root",
    collectionId: collections.open,
  });
  for (let n = 0; n < made; n += 1) {
    const carried = [
      ...(n % 4 === 0 ? [] : [tags.most]),
      ...(n < 60 ? [tags.eldest] : []),
      ...(n % 40 === 1 ? [tags.few] : []),
    ];
    await invoke(service, operations.createDocument, n % 5 === 0 ? people.editor.actor : boss, {
      title: `Document ${(n * 37) % made}`,
      collectionId: n % 6 === 0 ? collections.readable : collections.open,
      tags: carried,
      publish: n % 7 !== 0,
      sortOrder: (n * 11) % made,
      ...(n % 6 !== 0 && n >= 60 ? { parentDocumentId: root.id } : {}),
    });
  }
  // The whole tree gets one moment of change.
  await invoke(service, operations.archiveDocument, boss, { id: root.id });
  await invoke(service, operations.unarchiveDocument, boss, { id: root.id });
  const restricted = await world.key(people.admin, ["read"], {
    restrictions: { collections: { [collections.open]: "read" } },
  });
  everybody = [boss, people.editor.actor, people.viewer.actor, await world.actorOf(restricted)];
  channel = await openChannel(tags.most);
});
afterAll(() => test.drop());

async function openChannel(...names: string[]): Promise<ChannelReader> {
  const { token } = await admin.createChannel(world.service, {
    name: "Tags",
    collections: [],
    tags: names,
    team: world.teamId,
  });
  const reader = await authenticateChannelToken(test.database, token, new Date());
  if (reader === null) throw new Error("the token opens no channel");
  return reader;
}

const documentsIn = (rows: readonly object[]): DocumentView[] =>
  rows.filter((row): row is DocumentView => "title" in row);
const titles = (rows: readonly object[]): string[] => documentsIn(rows).map((row) => row.title);
const list = (actor: Actor, input: object) => invoke(world.service, operations.listDocuments, actor, input);

/** Pages of everything, put together. */
async function listAll(actor: Actor, input: object): Promise<DocumentView[]> {
  const rows: DocumentView[] = [];
  for (;;) {
    const page = await list(actor, { ...input, limit: 100, offset: rows.length });
    rows.push(...documentsIn(page.data));
    if (page.data.length < 100) return rows;
  }
}

const sorts = ["updatedAt", "-updatedAt", "createdAt", "-createdAt", "title", "-title", "sortOrder", "-sortOrder"];

describe("the documents of a tag", () => {
  it.each(sorts)(
    "sorted by %s: every page of every tag is what the whole list has of it",
    { meta: { proves: ["documents.list.tag-filter"] } },
    async (sort) => {
      for (const actor of everybody) {
        for (const place of [{}, { collectionId: world.collections.open }]) {
          const all = await listAll(actor, { sort, ...place });
          for (const tag of Object.values(tags)) {
            const carrying = titles(all.filter((row) => row.tags.includes(tag)));
            for (const [offset, limit] of [
              [0, 1],
              [0, 5],
              [3, 4],
              [20, 10],
              [55, 25],
              [0, 100],
            ] as const) {
              const page = await list(actor, { sort, ...place, tag: [tag], offset, limit });
              expect("total" in page && page.total).toBe(carrying.length);
              expect(titles(page.data)).toEqual(carrying.slice(offset, offset + limit));
            }
          }
        }
      }
    },
  );

  it("a page far behind the last is empty", async () => {
    const page = await list(world.people.admin.actor, { tag: [tags.most], offset: 2_147_483_647 });
    expect(page.data).toEqual([]);
  });

  it("the sync comes by all of them once, whatever shares a moment", async () => {
    for (const actor of everybody) {
      const all = await listAll(actor, { sort: "updatedAt" });
      for (const tag of Object.values(tags)) {
        for (const limit of [1, 4, 30]) {
          const seen: string[] = [];
          let from: object = { updatedSince: "2020-01-01T00:00:00Z" };
          for (;;) {
            const page = await list(actor, { ...from, tag: [tag], limit });
            if (!("nextCursor" in page)) throw new Error("not a page of a sync");
            seen.push(...titles(page.data));
            if (!page.hasMore) break;
            from = { cursor: page.nextCursor };
          }
          expect(seen.sort()).toEqual(titles(all.filter((row) => row.tags.includes(tag))).sort());
        }
      }
    }
  });

  it.each([undefined, "2020-01-01T00:00:00Z"])(
    "assistants page through all of them, since %s",
    async (updatedSince) => {
      for (const actor of everybody) {
        const all = await listAll(actor, { sort: updatedSince === undefined ? "-updatedAt" : "updatedAt" });
        for (const tag of Object.values(tags)) {
          const seen: string[] = [];
          let cursor: string | null = null;
          do {
            const page: { documents: { title: string }[]; nextCursor: string | null } = await invoke(
              world.service,
              operations.listDocumentsForAssistants,
              actor,
              { tag, limit: 7, ...(updatedSince ? { updatedSince } : {}), ...(cursor ? { cursor } : {}) },
            );
            seen.push(...titles(page.documents));
            cursor = page.nextCursor;
          } while (cursor !== null);
          expect(seen).toEqual(titles(all.filter((row) => row.tags.includes(tag))));
        }
      }
    },
  );

  it("the readers of a channel page through all that it shows", async () => {
    const { people, collections } = world;
    const all = await listAll(people.admin.actor, { status: ["published"], sort: "-updatedAt" });
    const open = [collections.open, collections.readable];
    const shown = all.filter((row) => row.tags.includes(tags.most) && open.includes(row.collectionId ?? ""));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const input = { channelId: channel.channelId, limit: 3, ...(cursor ? { cursor } : {}) };
      const page: { data: { title: string }[]; nextCursor: string | null } = await invoke(
        world.service,
        operations.listPublished,
        channel,
        input,
      );
      seen.push(...titles(page.data));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen.sort()).toEqual(titles(shown).sort());
  });

  it("a restricted tag of the same name counts once, and only for those on its list", {
    meta: { proves: ["decision.tags.restricted-namespace"] },
  }, async () => {
    const { people, teamId } = world;
    const boss = people.admin.actor;
    const before = await list(boss, { tag: [tags.few], limit: 100 });
    await test.database.acrossTeams.execute(sql`
      INSERT INTO tags ("teamId", id, name, restricted) VALUES (${teamId}::uuid, gen_random_uuid(), ${tags.few}, TRUE)`);
    await test.database.acrossTeams.execute(sql`
      INSERT INTO tag_grants ("teamId", id, "tagId", "userId") SELECT "teamId", gen_random_uuid(), id, ${boss.userId}::uuid
      FROM tags WHERE "teamId" = ${teamId}::uuid AND name = ${tags.few} AND restricted`);
    await test.database.acrossTeams.execute(sql`
      INSERT INTO document_tags ("teamId", "documentId", "tagId")
      SELECT t."teamId", d.id, t.id FROM tags t JOIN documents d ON d."teamId" = t."teamId" AND d.title IN ('Document 37', 'Root')
      WHERE t."teamId" = ${teamId}::uuid AND t.name = ${tags.few} AND t.restricted`);
    const after = await list(boss, { tag: [tags.few], limit: 100 });
    const names = (page: typeof after): string[] => titles(page.data);
    expect(names(before)).toContain("Document 37");
    expect(names(after).sort()).toEqual([...names(before), "Root"].sort());
    expect("total" in after && after.total).toBe(names(after).length);
    const others = await list(people.editor.actor, { tag: [tags.few], limit: 100 });
    expect(names(others)).not.toContain("Root");
    expect("total" in others && others.total).toBe(names(others).length);
  });
});
