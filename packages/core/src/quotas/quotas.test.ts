import { callerOf, outcomeOf, statementLog } from "@kb/core/testing";
import { sql } from "@kb/db";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Service } from "../context.ts";
import { invoke, operations, ServiceError } from "../index.ts";
import { settleDocument } from "../live/checkpoint.ts";
import { LiveClient } from "../testing/live-client.ts";
import { testWorld } from "../testing/test-world.ts";
import { measureDocuments } from "./measure-documents.ts";
import { type Quotas, type StorageBytes, storageKinds } from "./quotas.ts";
import { recountStorage } from "./recount-storage.ts";
import { readInstallationUsage, readTeamUsages } from "./usage.ts";

const log = statementLog();
const { test, world } = await testWorld({}, { onQuery: log.onQuery });
const { admin, editor, member } = world.people;
const boss = callerOf(world, admin);
const inApp = callerOf(world, await world.session(admin));

/** Returns the service with limits on top of what the team and the user use now. */
async function limited(over: { team?: Partial<StorageBytes>; user?: Partial<StorageBytes> }, userId = editor.id) {
  const used = { team: await usageOf(null), user: await usageOf(userId) };
  const quotas: Quotas = { team: plus(used.team, over.team), user: plus(used.user, over.user) };
  return { ...world.service, quotas } satisfies Service;
}

const plus = (used: StorageBytes, over: Partial<StorageBytes> = {}): Partial<StorageBytes> =>
  Object.fromEntries(
    storageKinds.flatMap((kind) => (over[kind] === undefined ? [] : [[kind, used[kind] + over[kind]]])),
  );

/** Returns the stored usage of a user, or of the team. */
async function usageOf(userId: string | null): Promise<StorageBytes> {
  const [row] = await test.database.rows<StorageBytes>(sql`
    SELECT "documentBytes"::float8 AS documents, "revisionBytes"::float8 AS revisions, "attachmentBytes"::float8 AS attachments
    FROM storage_usage WHERE "teamId" = ${world.teamId}::uuid
      AND "userId" = ${userId ?? "00000000-0000-0000-0000-000000000000"}::uuid`);
  return row ?? { documents: 0, revisions: 0, attachments: 0 };
}

type Usage = { readonly owner: string | null } & StorageBytes;

/** Returns the usages as they are kept, and as they are when the stored data is measured now. */
async function usages(): Promise<[Usage[], Usage[]]> {
  const kept = await test.database.acrossTeams.rows<Usage>(sql`SELECT concat("teamId", ' ', "userId") AS owner,
      "documentBytes"::float8 AS documents, "revisionBytes"::float8 AS revisions, "attachmentBytes"::float8 AS attachments
    FROM storage_usage WHERE "documentBytes" <> 0 OR "revisionBytes" <> 0 OR "attachmentBytes" <> 0 ORDER BY 1`);
  const measured = await test.database.acrossTeams.rows<Usage>(sql`
    WITH parts AS (
      SELECT d."teamId", d."createdById" AS owner, octet_length(b.markdown) AS documents, 0 AS revisions, 0 AS attachments
        FROM documents d JOIN document_bodies b ON b."teamId" = d."teamId" AND b."documentId" = d.id
      UNION ALL SELECT d."teamId", d."createdById", 0, octet_length(r.markdown), 0
        FROM documents d JOIN revision_bodies r ON r."teamId" = d."teamId" AND r."documentId" = d.id
      UNION ALL SELECT a."teamId", a."createdById", 0, 0, a.size FROM attachments a
      UNION ALL SELECT p."teamId", p."userId", 0, 0, octet_length(p.bytes) FROM user_pictures p
    )
    SELECT concat("teamId", ' ', COALESCE(owner, '00000000-0000-0000-0000-000000000000')) AS owner,
      sum(documents)::float8 AS documents, sum(revisions)::float8 AS revisions, sum(attachments)::float8 AS attachments
    FROM (SELECT * FROM parts WHERE owner IS NOT NULL
      UNION ALL SELECT "teamId", NULL, documents, revisions, attachments FROM parts) p
    GROUP BY "teamId", owner HAVING sum(documents) + sum(revisions) + sum(attachments) <> 0 ORDER BY 1`);
  return [kept, measured];
}

async function expectMeasured(): Promise<void> {
  const [kept, measured] = await usages();
  expect(kept).toEqual(measured);
}

/** Creates a document of a number of bytes. */
const create = (service: Service, bytes: number, by = editor) =>
  invoke(service, operations.createDocument, by.actor, {
    collectionId: world.collections.open,
    text: "x".repeat(bytes),
    publish: true,
  });
const update = (service: Service, id: string, change: object, by = editor) =>
  invoke(service, operations.updateDocument, by.actor, { id, ...change });
const register = (service: Service, size: number, by = editor) =>
  invoke(service, operations.uploadAttachment, by.actor, { name: "a.png", contentType: "image/png", size });

/** Returns the error of a change that has to fail. */
async function failureOf(run: Promise<unknown>): Promise<ServiceError> {
  const error = await run.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ServiceError)) throw new Error(`expected a failure, got ${error}`);
  return error;
}

describe("a quota of document bytes", () => {
  it("rejects a document beyond it with the current usage, and keeps nothing of it", async () => {
    const service = await limited({ team: { documents: 1_000 } });
    const { id } = await create(service, 600);
    const used = await usageOf(null);
    const error = await failureOf(create(service, 600));
    expect(error.code).toBe("payload_too_large");
    const limit = service.quotas.team.documents ?? 0;
    expect(error.message).toContain(
      `The team uses ${used.documents.toLocaleString("en")} of ${limit.toLocaleString("en")} bytes for documents`,
    );
    expect(error.message).toContain("QUOTA_TEAM_DOCUMENT_BYTES");
    const facts = { scope: "team", kind: "documents", used: used.documents, limit, needed: 601 };
    expect(error.details).toEqual([{ path: "quota", message: expect.any(String), ...facts }]);
    expect(await usageOf(null)).toEqual(used);
    expect((await failureOf(update(service, id, { text: "x".repeat(1_100) }))).details?.[0]?.path).toBe("quota");
    await expectMeasured();
  });

  it("lets a document shrink and its other fields change, and rejects only growth", async () => {
    const { id } = await create(world.service, 900);
    const service = await limited({ team: { documents: 0 } });
    expect(await outcomeOf(update(service, id, { text: "x".repeat(899) }))).toBe("done");
    expect(await outcomeOf(update(service, id, { title: "Another", tags: ["small"] }))).toBe("done");
    expect(await outcomeOf(update(service, id, { text: "x".repeat(902), tags: ["large"] }))).toBe("payload_too_large");
    expect((await boss.get(id)).tags).toEqual(["small"]);
  });

  it("of a user counts the documents that they created, whoever edits them", async () => {
    const { id } = await create(world.service, 100);
    const service = await limited({ user: { documents: 500 } });
    const error = await failureOf(update(service, id, { text: "x".repeat(900) }, admin));
    expect(error.message).toMatch(/^The author of this document uses [\d,]+ of [\d,]+ bytes for documents/);
    expect((await failureOf(create(service, 900))).message).toMatch(/^You use /);
    expect(await outcomeOf(create(service, 400, member))).toBe("done");
  });

  it("is kept by two writers that race: of two documents that fit only one by one, one is stored", async () => {
    for (let round = 0; round < 10; round += 1) {
      const service = await limited({ team: { documents: 1_000 } });
      const outcomes = await Promise.all([create(service, 600), create(service, 600, admin)].map(outcomeOf));
      expect(outcomes.sort()).toEqual(["done", "payload_too_large"]);
    }
    await expectMeasured();
  });

  it("gets the bytes of a document back when it is destroyed, not while it is in the trash", async () => {
    const before = await usageOf(null);
    const { id } = await create(world.service, 700);
    await update(world.service, id, { text: "short" }, admin);
    const full = await usageOf(null);
    expect([full.documents, full.revisions]).toEqual([before.documents + 6, before.revisions + 701]);
    await boss.delete(id);
    expect(await usageOf(null)).toEqual(full);
    await inApp.run(operations.destroyDocument, { id });
    expect(await usageOf(null)).toEqual(before);
  });
});

it("a quota of document bytes refuses live typing beyond it, but no deletion and no checkpoint", async () => {
  const { id } = await create(world.service, 600);
  const service = await limited({ team: { documents: 20 } });
  const client = new LiveClient({ ...world, service }, editor, id);
  await client.open();
  await client.type("a".repeat(15));
  const error = await failureOf(client.type("b".repeat(30)));
  expect(error.code).toBe("payload_too_large");
  expect(error.details?.[0]).toMatchObject({ path: "quota", scope: "team", kind: "documents", needed: 30 });
  await settleDocument(await limited({ team: { documents: 0 } }), world.teamId, id);
  expect((await boss.get(id)).text).toHaveLength(615);
  expect((await failureOf(client.type("b".repeat(6)))).details?.[0]?.path).toBe("quota");
  expect(await outcomeOf(client.push([{ stepType: "replace", from: 1, to: 11 }]))).toBe("done");
  await boss.get(id);
  await expectMeasured();
});

it("a quota of revision bytes rejects a change that would store another earlier state", async () => {
  const { id } = await create(world.service, 800);
  const service = await limited({ team: { revisions: 500 } });
  const error = await failureOf(update(service, id, { title: "By the admin" }, admin));
  expect(error.details?.[0]).toMatchObject({ kind: "revisions", needed: 801 });
  expect((await boss.get(id)).revision).toBe(1);
  // The same author continues a run of edits, which stores no state.
  expect(await outcomeOf(update(service, id, { title: "By the editor" }))).toBe("done");
});

describe("a quota of attachment bytes", () => {
  it("counts an upload from its registration with its declared size, and gives the bytes of an expired one back", async () => {
    const before = await usageOf(editor.id);
    const service = await limited({ user: { attachments: 1_000 } });
    const { attachment } = await register(service, 600);
    const error = await failureOf(register(service, 600));
    expect(error.details?.[0]).toMatchObject({ scope: "user", kind: "attachments", needed: 600 });
    expect(await outcomeOf(register(service, 600, admin))).toBe("done");
    await test.database.rows(sql`DELETE FROM attachments
      WHERE "teamId" = ${world.teamId}::uuid AND id = ${attachment.id}::uuid RETURNING id`);
    expect(await usageOf(editor.id)).toEqual(before);
    await expectMeasured();
  });

  it("counts the bytes that arrived, and is kept by two uploads that race", async () => {
    const bytes = Buffer.from("text of a file");
    const attach = (service: Service, by = editor) =>
      invoke(service, operations.attachBytes, by.actor, { name: "a.txt", contentType: "text/plain", bytes });
    for (let round = 0; round < 5; round += 1) {
      const service = await limited({ team: { attachments: bytes.length + 5 } });
      const outcomes = await Promise.all([attach(service), attach(service, admin)].map(outcomeOf));
      expect(outcomes.sort()).toEqual(["done", "payload_too_large"]);
    }
    await expectMeasured();
  });
});

it("without quotas a change runs as many statements as before; with them, one more", async () => {
  const { id } = await create(world.service, 10);
  const countOf = async (service: Service, text: string): Promise<number> =>
    (await log.during(() => update(service, id, { text }))).length;
  const without = await countOf(world.service, "longer than before");
  const within = await countOf(await limited({ team: { documents: 1_000 } }), "longer than that was before");
  expect(within).toBe(without + 1);
});

it("the usage is what is stored after any sequence of changes, also of many at once", {
  timeout: 120_000,
}, async () => {
  const { service, collections } = world;
  const people = [admin, editor, member];
  const documents: string[] = [];
  const step = fc.record({ kind: fc.nat(9), who: fc.nat(2), which: fc.nat(50), length: fc.nat(2_000) });
  const run = async ({ kind, who, which, length }: { kind: number; who: number; which: number; length: number }) => {
    const by = people[who] ?? admin;
    const id = documents[which % Math.max(1, documents.length)] ?? "";
    const text = "ä".repeat(length);
    if (kind < 3 || id === "") {
      const input = { collectionId: collections.open, text, publish: true, ...(kind === 0 ? { tags: ["t"] } : {}) };
      const made = await outcomeAnd(() => invoke(service, operations.createDocument, by.actor, input));
      if (made !== undefined) documents.push(made.id);
    } else if (kind < 6)
      await outcomeOf(update(service, id, { text, ...(kind === 3 ? { title: `T${length}` } : {}) }, by));
    else if (kind === 6) await outcomeOf(boss.delete(id));
    else if (kind === 7) await outcomeOf(boss.restore(id));
    else if (kind === 8) await outcomeOf(inApp.run(operations.destroyDocument, { id }));
    else await outcomeOf(register(service, length + 1, by));
  };
  const seed = Number(process.env.KB_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`storage usage: KB_FUZZ_SEED=${seed}`);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), fc.boolean(), async (steps, atOnce) => {
      if (atOnce) await Promise.all(steps.map(run));
      else for (const one of steps) await run(one);
      await expectMeasured();
    }),
    { seed, numRuns: Number(process.env.KB_FUZZ_RUNS ?? 6), endOnFailure: true },
  );
});

async function outcomeAnd<T>(run: () => Promise<T>): Promise<T | undefined> {
  return run().catch(() => undefined);
}

it("documents of an earlier release count once the worker has measured them", async () => {
  const before = await usageOf(null);
  const { id } = await create(world.service, 500);
  await test.database.rows(sql`UPDATE documents SET bytes = NULL, "revisionBytes" = NULL
    WHERE "teamId" = ${world.teamId}::uuid AND id = ${id}::uuid RETURNING id`);
  expect(await usageOf(null)).toEqual(before);
  await update(world.service, id, { text: "x".repeat(300) }, admin);
  expect(await usageOf(null)).toEqual(before);
  expect(await measureDocuments(world.service)).toBe(1);
  expect(await measureDocuments(world.service)).toBe(0);
  await expectMeasured();
});

it("a recount corrects sizes and usages, and leaves exact what changes meanwhile", async () => {
  await test.database.acrossTeams.execute(sql`UPDATE documents SET bytes = 7, "revisionBytes" = 3 WHERE bytes > 500`);
  await test.database.acrossTeams.execute(sql`UPDATE storage_usage SET "attachmentBytes" = -5`);
  const changes = Array.from({ length: 20 }, async (_, n) => {
    const { id } = await create(world.service, 50 * n);
    if (n % 2 === 0) await update(world.service, id, { text: "changed" }, admin);
    if (n % 5 === 0) await register(world.service, n + 1);
  });
  const [corrected] = await Promise.all([recountStorage(world.service), ...changes]);
  expect(corrected).toBeGreaterThan(0);
  await expectMeasured();
});

it("the usage of each team, of all together, and of the fullest team and user can be read", async () => {
  const teams = await readTeamUsages(world.service);
  const own = teams.find((team) => team.teamId === world.teamId);
  expect(own).toMatchObject(await usageOf(null));
  const { total, most } = await readInstallationUsage(world.service);
  expect(total.documents).toBe(teams.reduce((sum, team) => sum + team.documents, 0));
  expect(most.team.documents).toBe(Math.max(...teams.map(({ documents }) => documents)));
  expect(most.user).toEqual({
    documents: Math.max(...teams.map(({ mostOfUser }) => mostOfUser.documents)),
    revisions: Math.max(...teams.map(({ mostOfUser }) => mostOfUser.revisions)),
    attachments: Math.max(...teams.map(({ mostOfUser }) => mostOfUser.attachments)),
  });
  expect(most.user.documents).toBeGreaterThan(0);
});
