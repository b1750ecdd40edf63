import { sql } from "@kb/db";
import { expect, it } from "vitest";
import { invoke } from "../invoke.ts";
import * as operations from "../operations.ts";
import { testWorld } from "../testing/test-world.ts";

// The totals of lists come from counts that triggers keep: whatever happens to documents, they equal a fresh count.

const { test, world } = await testWorld();

type Count = { kind: string; count: number };

/** Distinguishes the kinds of `documents d`. */
const kindOf = sql`COALESCE(d."collectionId", '00000000-0000-0000-0000-000000000000'::uuid),
  CASE WHEN d."publishedAt" IS NULL OR d."collectionId" IS NULL
    THEN COALESCE(d."createdById", '00000000-0000-0000-0000-000000000000'::uuid) ELSE '00000000-0000-0000-0000-000000000000' END,
  d."publishedAt" IS NOT NULL, d."archivedAt" IS NOT NULL`;

/** The counts as they are kept, of all and of each tag, and as they are when they are counted now. */
async function counts(): Promise<[Count[], Count[]]> {
  const kept = await test.database.acrossTeams.rows<Count>(sql`
    SELECT concat_ws(' ', "teamId", "collectionId", "createdById", published, archived) AS kind, count::int
      FROM document_counts WHERE count <> 0
    UNION ALL SELECT concat_ws(' ', 'tag', "tagId", "teamId", "collectionId", "createdById", published, archived), count::int
      FROM document_tag_counts WHERE count <> 0 ORDER BY 1`);
  const counted = await test.database.acrossTeams.rows<Count>(sql`
    SELECT concat_ws(' ', d."teamId", ${kindOf}) AS kind, count(*)::int
      FROM documents d WHERE d."deletedAt" IS NULL GROUP BY 1
    UNION ALL SELECT concat_ws(' ', 'tag', l."tagId", d."teamId", ${kindOf}), count(*)::int
      FROM document_tags l JOIN documents d ON d."teamId" = l."teamId" AND d.id = l."documentId"
      WHERE d."deletedAt" IS NULL GROUP BY 1 ORDER BY 1`);
  return [kept, counted];
}

async function expectCounted(): Promise<void> {
  const [kept, counted] = await counts();
  expect(kept).toEqual(counted);
}

it("the counts behind a list's total are exact after every kind of change", async () => {
  const { service, collections, people } = world;
  const boss = people.admin.actor;
  const make = (input: object): Promise<{ id: string }> =>
    invoke(service, operations.createDocument, boss, { collectionId: collections.open, ...input });
  await expectCounted();
  const root = await make({ title: "Root", publish: true, tags: ["one", "two"] });
  const below = await make({ title: "Below", parentDocumentId: root.id, tags: ["two"] });
  const alone = await make({ title: "Alone", tags: ["one"], publish: true });
  await expectCounted();
  const { id } = root;
  const inApp = { ...boss, credential: { kind: "session", id: "s", name: "s" } } as const;
  const tagNamed = async (name: string): Promise<string> => {
    const tags = await invoke(service, operations.listTags, boss, {});
    return tags.find((tag) => tag.name === name)?.id ?? "";
  };
  const steps = [
    () => invoke(service, operations.updateDocument, boss, { id: below.id, tags: ["three", "one"] }),
    () => invoke(service, operations.updateDocument, boss, { id: below.id, tags: [] }),
    () => invoke(service, operations.updateDocument, boss, { id: below.id, tags: ["one", "two"], title: "Below!" }),
    () => invoke(service, operations.setRestrictedTags, inApp, { id, tagIds: [world.tags.hidden] }),
    async () => invoke(service, operations.deleteTag, inApp, { id: await tagNamed("two") }),
    () => invoke(service, operations.updateDocument, boss, { id: below.id, published: true }),
    () => invoke(service, operations.updateDocument, boss, { id: below.id, published: false }),
    () => invoke(service, operations.updateDocument, boss, { id, collectionId: collections.readable }),
    () => invoke(service, operations.archiveDocument, boss, { id }),
    () => invoke(service, operations.unarchiveDocument, boss, { id }),
    () => invoke(service, operations.deleteDocument, boss, { id }),
    () => invoke(service, operations.restoreDocument, boss, { id }),
    () => invoke(service, operations.archiveCollection, boss, { id: collections.readable }),
    () => invoke(service, operations.unarchiveCollection, boss, { id: collections.readable }),
    () => invoke(service, operations.setRestrictedTags, inApp, { id, tagIds: [] }),
    () => invoke(service, operations.deleteCollection, inApp, { id: collections.readable }),
    () => test.database.acrossTeams.execute(sql`DELETE FROM documents WHERE id = ${below.id}::uuid`),
    // One that is not in the trash, with its tags.
    () => test.database.acrossTeams.execute(sql`DELETE FROM documents WHERE id = ${alone.id}::uuid`),
    () => test.database.acrossTeams.execute(sql`UPDATE documents SET "collectionId" = NULL WHERE "deletedAt" IS NULL`),
  ];
  for (const step of steps) {
    await step();
    await expectCounted();
  }
});

it("changes of many at once leave the counts exact", async () => {
  const { service, collections, people } = world;
  const { admin, editor, member } = people;
  const make = async (n: number): Promise<void> => {
    const { actor } = [admin, editor, member][n % 3] ?? admin;
    const collectionId = collections.open;
    const tags = [`tag ${n % 3}`];
    const { id } = await invoke(service, operations.createDocument, actor, {
      collectionId,
      tags,
      publish: n % 2 === 0,
    });
    if (n % 4 === 0) await invoke(service, operations.updateDocument, actor, { id, published: n % 8 === 0 });
    if (n % 5 === 0) await invoke(service, operations.archiveDocument, admin.actor, { id });
    if (n % 7 === 0) await invoke(service, operations.deleteDocument, admin.actor, { id });
  };
  await Promise.all(Array.from({ length: 60 }, (_, n) => make(n)));
  await expectCounted();
});

it("counting anew mends what is wrong, and leaves exact what changes meanwhile", async () => {
  const { service, collections, people } = world;
  await test.database.acrossTeams.execute(sql`UPDATE document_counts SET count = count + 3`);
  await test.database.acrossTeams.execute(sql`DELETE FROM document_tag_counts WHERE published`);
  await test.database.acrossTeams.execute(sql`UPDATE document_tag_counts SET count = -7`);
  const recount = () => test.database.acrossTeams.rows(sql`SELECT recount_documents()::text`);
  const change = async (n: number): Promise<void> => {
    const input = { collectionId: collections.open, tags: [`tag ${n % 4}`, "one"], publish: n % 2 === 0 };
    const { id } = await invoke(service, operations.createDocument, people.admin.actor, input);
    if (n % 3 === 0) await invoke(service, operations.archiveDocument, people.admin.actor, { id });
    if (n % 3 === 1) await invoke(service, operations.updateDocument, people.admin.actor, { id, tags: [] });
  };
  await Promise.all(Array.from({ length: 40 }, (_, n) => (n % 10 === 5 ? recount() : change(n))));
  await expectCounted();
});
