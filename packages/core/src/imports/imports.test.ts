import { callerOf, outcomeOf, type Person, type World } from "@kb/core/testing";
import { newId, sql } from "@kb/db";
import { testClock } from "@kb/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { readTeamUsages } from "../admin/index.ts";
import { requireFiles } from "../attachments/files.ts";
import { operations, receiveImport } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";
import { createWorld } from "../testing/world.ts";
import { cleanUpImports, dropImportFile } from "./clean-up.ts";
import { claimImport, doOthersWait, findHeldAttempts, reportImport, settleImport } from "./work.ts";

const clock = testClock();
const { test, world } = await testWorld({ clock });
const { service, people } = world;
const { client } = service.database;
const files = requireFiles(service);
const hours = (count: number): void => clock.advance(count * 3_600_000);

beforeEach(async () => {
  await service.database.acrossTeams.rows(sql`DELETE FROM imports WHERE true RETURNING id`);
});

type Columns = {
  readonly status?: string;
  readonly size?: bigint;
  readonly storageKey?: null;
  readonly collectionId?: null;
  readonly finishedAt?: Date;
  readonly fileEndsAt?: Date;
  readonly queuedAt?: Date;
};

/** Stores an import of somebody, whose file is there unless the columns say something else. */
async function put({ actor: { teamId, userId } }: Person, columns: Columns = {}): Promise<string> {
  const id = newId();
  const storageKey = `${teamId}/imports/${id}/file`;
  await files.store.put(storageKey, chunks("PK"), "application/zip");
  const now = clock.now();
  const options = { dryRun: false, update: false, publish: true, textTags: false, newCollection: null };
  const upload = { uploadHash: new Uint8Array(32), uploadExpiresAt: now };
  const base = { teamId, id, userId, name: "notes.zip", size: 100n, options, storageKey, createdAt: now };
  await client.import.create({
    data: { ...base, ...upload, collectionId: world.collections.open, status: "queued", ...columns },
  });
  return id;
}

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

const rowOf = (id: string, teamId = world.teamId) => client.import.findUnique({ where: { teamId_id: { teamId, id } } });
const hasFile = async (id: string): Promise<boolean> =>
  (await files.store.get(`${world.teamId}/imports/${id}/file`)) !== null;
const stopped = (): Columns => ({
  status: "stopped",
  finishedAt: clock.now(),
  fileEndsAt: new Date(clock.now().getTime() + 86_400_000),
});
const appOf = async (person: Person) => callerOf(world, await world.session(person));

describe("the files of imports", () => {
  it("make room for a new one, those that ended first before others, and no more than needed", {
    meta: { proves: ["decision.app.import-bounds"] },
  }, async () => {
    const caller = await appOf(people.member);
    const kept: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      kept.push(await put(people.member, stopped()));
      clock.advance(1_000);
    }
    const foreign = await put(people.editor, stopped());
    const begin = () =>
      caller.run(operations.createImport, { name: "a.zip", size: 10, collectionId: world.collections.open });
    await begin();
    expect(await Promise.all(kept.map(hasFile))).toEqual([false, true, true]);
    await begin();
    expect(await Promise.all([...kept, foreign].map(hasFile))).toEqual([false, false, true, true]);
    expect(await outcomeOf(caller.run(operations.continueImport, { id: kept[0] ?? "" }))).toBe("conflict");
    expect(await outcomeOf(caller.run(operations.continueImport, { id: kept[2] ?? "" }))).toBe("done");
  });

  it("count for the quotas of the user and of the team, from the beginning with their declared size", {
    meta: { proves: ["decision.app.import-bounds"] },
  }, async () => {
    const limited = (quotas: object) => ({
      ...world,
      service: { ...service, quotas: { team: {}, user: {}, ...quotas } },
    });
    const input = { name: "a.zip", size: 60, collectionId: world.collections.open };
    const by = async (person: Person, quotas: object) =>
      callerOf(limited(quotas), await world.session(person)).run(operations.createImport, input);
    await by(people.member, { user: { imports: 100 } });
    await expect(by(people.member, { user: { imports: 100 } })).rejects.toMatchObject({
      code: "payload_too_large",
      message: expect.stringMatching(/^Your files to import have 60 bytes of 100 bytes.*QUOTA_USER_IMPORT_BYTES/),
      details: [{ path: "quota", scope: "user", kind: "imports", used: 60, limit: 100, needed: 60 }],
    });
    await expect(by(people.editor, { team: { imports: 100 } })).rejects.toMatchObject({
      message: expect.stringContaining("QUOTA_TEAM_IMPORT_BYTES"),
    });
    await put(people.editor, { ...stopped(), size: 70n });
    const usage = (await readTeamUsages(service)).find(({ teamId }) => teamId === world.teamId);
    expect(usage).toMatchObject({ imports: 70, mostOfUser: { imports: 70 } });
    await by(people.editor, { team: { imports: 120 } });
    expect((await readTeamUsages(service)).find(({ teamId }) => teamId === world.teamId)).toMatchObject({ imports: 0 });
  });

  it("of one user take at most half of their team's room, however many of them and in whatever order", {
    meta: { proves: ["decision.app.import-bounds"] },
  }, async () => {
    const small = { ...service, files: { ...files, maxImportBytes: 100 } };
    const by = async (person: Person, team: object, size: number) =>
      callerOf({ ...world, service: { ...small, quotas: { team, user: {} } } }, await world.session(person)).run(
        operations.createImport,
        { name: "a.zip", size, collectionId: world.collections.open },
      );
    const room = { imports: 300 };
    await by(people.member, room, 100);
    await by(people.member, room, 50);
    await expect(by(people.member, room, 1)).rejects.toMatchObject({ details: [{ scope: "user", limit: 150 }] });
    await by(people.editor, room, 100);
    // Where nothing is set, of four files of the maximum size.
    await expect(by(people.editor, {}, 101)).rejects.toMatchObject({ code: "payload_too_large" });
    await by(people.editor, {}, 100);
    await expect(by(people.editor, {}, 1)).rejects.toMatchObject({ details: [{ scope: "user", limit: 200 }] });
  });

  it("are sent once at a time: of 20 uploads at once, one stores bytes, and one that stands still gives way", {
    meta: { proves: ["decision.app.import-bounds"] },
  }, async () => {
    const caller = await appOf(people.member);
    const begin = async () => {
      const made = await caller.run(operations.createImport, {
        name: "a.md",
        size: 10,
        collectionId: world.collections.open,
      });
      const { pathname, searchParams } = new URL(made.uploadUrl);
      const upload = {
        id: pathname.split("/").at(-1) ?? "",
        token: searchParams.get("token") ?? "",
        length: undefined,
      };
      return (body: AsyncIterable<Uint8Array>, store = files.store) =>
        outcomeOf(receiveImport({ ...service, files: { ...files, store } }, { ...upload, body }));
    };
    let stores = 0;
    const store = {
      ...files.store,
      put: (...given: Parameters<typeof files.store.put>) => {
        stores += 1;
        return files.store.put(...given);
      },
    };
    const send = await begin();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => send(chunks("text"), store)));
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "conflict")).toHaveLength(19);
    expect(stores).toBe(1);
    const sendLater = await begin();
    const { promise: pause, resolve: goOn } = Promise.withResolvers<void>();
    const slow = sendLater(
      (async function* () {
        yield* chunks("#".repeat(5));
        await pause;
        yield* chunks("a");
      })(),
    );
    await expect
      .poll(() => client.import.count({ where: { teamId: world.teamId, receivingUntil: { not: null } } }))
      .toBe(1);
    expect(await sendLater(chunks("now"))).toBe("conflict");
    clock.advance(61_000);
    expect(await sendLater(chunks("now"))).toBe("done");
    goOn();
    expect(await slow).toBe("conflict");
    // One that fails may be repeated at once.
    const again = await begin();
    expect(await again(chunks("much too long"))).toBe("payload_too_large");
    expect(await again(chunks("right"))).toBe("done");
  });

  it("are removed a day after the end, or at once where no attempt can need them", {
    meta: { proves: ["decision.app.import-bounds"] },
  }, async () => {
    const kept = await put(people.editor, stopped());
    const before = await put(people.editor, { status: "failed", finishedAt: clock.now() });
    hours(23);
    await cleanUpImports(service);
    expect(await Promise.all([kept, before].map(hasFile))).toEqual([true, true]);
    hours(2);
    await cleanUpImports(service);
    expect(await Promise.all([kept, before].map(hasFile))).toEqual([false, false]);
    expect(await rowOf(kept)).toMatchObject({ storageKey: null, status: "stopped" });
    for (const [isFinal, can] of [
      [true, false],
      [false, true],
    ] as const) {
      const id = await put(people.editor);
      const claimed = await claimImport(service, 1_000);
      if (claimed === null) throw new Error("nothing to claim");
      await settleImport(service, claimed, {
        status: "failed",
        failure: { code: "usage", message: "No.", explanation: null },
        isFinal,
      });
      const shown = await (await appOf(people.editor)).run(operations.getImport, { id });
      expect(shown.canContinue).toBe(can);
    }
  });

  it("stay for an import that is continued before a clean-up, also while it runs; one that the clean-up has taken is not continued", {
    meta: { proves: ["decision.app.import-continue"] },
  }, async () => {
    const caller = await appOf(people.editor);
    const proceed = (id: string) => outcomeOf(caller.run(operations.continueImport, { id }));
    const first = await put(people.editor, stopped());
    const second = await put(people.editor, stopped());
    const third = await put(people.editor, stopped());
    expect(await proceed(first)).toBe("done");
    hours(25);
    expect(await dropImportFile(service, { teamId: world.teamId, id: first })).toBe(false);
    await cleanUpImports(service);
    expect(await hasFile(first)).toBe(true);
    expect(await hasFile(second)).toBe(false);
    expect(await proceed(second)).toBe("conflict");
    // A clean-up that is slow to remove the file: the import is continued in the meantime, by a clock that is behind.
    await client.import.update({
      where: { teamId_id: { teamId: world.teamId, id: third } },
      data: { ...stopped(), storageKey: `${world.teamId}/imports/${third}/file` },
    });
    let outcome = "";
    const store = {
      ...files.store,
      removeBelow: async (prefix: string) => {
        outcome = await proceed(third);
        await files.store.removeBelow(prefix);
      },
    };
    await dropImportFile({ ...service, files: { ...files, store } }, { teamId: world.teamId, id: third });
    expect(outcome).toBe("conflict");
    expect(await rowOf(third)).toMatchObject({ status: "stopped", storageKey: null });
  });
});

describe("the turns of imports", () => {
  it("go round the teams and in each round its users, however many imports one of them has", {
    meta: { proves: ["decision.app.import-bounds"] },
  }, async () => {
    const other: World = await createWorld(test.database, { clock });
    const order: string[] = [];
    const names = new Map<string, string>();
    const queue = async (name: string, person: Person): Promise<void> => {
      const id = await put(person, { storageKey: null, collectionId: null, queuedAt: clock.now() });
      names.set(id, name);
      clock.advance(1_000);
    };
    for (const name of ["a1", "a2", "a3"]) await queue(name, people.admin);
    await queue("b1", people.editor);
    await queue("c1", other.people.admin);
    await queue("c2", other.people.admin);
    for (let count = 0; count < 6; count += 1) {
      const claimed = await claimImport(service, 1_000_000_000);
      order.push(names.get(claimed?.id ?? "") ?? "none");
      clock.advance(1_000);
    }
    expect(order).toEqual(["a1", "c1", "b1", "c2", "a2", "a3"]);
    expect(await claimImport(service, 1_000)).toBeNull();
  });

  it("of an import that is continued, or whose turn is over, come after those that others wait for", {
    meta: { proves: ["decision.app.import-continue"] },
  }, async () => {
    const first = await put(people.editor);
    const claimed = await claimImport(service, 60_000);
    if (claimed === null) throw new Error("nothing to claim");
    expect(await doOthersWait(service, claimed)).toBe(false);
    await put(people.editor);
    expect(await doOthersWait(service, claimed)).toBe(false);
    const other = await put(people.admin);
    expect(await doOthersWait(service, claimed)).toBe(true);
    clock.advance(1_000);
    await settleImport(service, claimed, { status: "requeued", isPlanned: true });
    expect((await claimImport(service, 60_000))?.id).toBe(other);
    expect(await rowOf(first)).toMatchObject({ status: "queued", crashes: 0 });
  });

  it("end after three crashes, and no number of continuations begins to count anew", {
    meta: { proves: ["decision.app.import-continue"] },
  }, async () => {
    const caller = await appOf(people.editor);
    const id = await put(people.editor);
    const crash = async () => {
      const claimed = await claimImport(service, 1_000);
      clock.advance(2_000);
      return claimed;
    };
    expect(await crash()).toMatchObject({ attempts: 1, crashes: 0 });
    expect(await crash()).toMatchObject({ attempts: 2, crashes: 1 });
    await caller.run(operations.stopImport, { id });
    const stopping = await claimImport(service, 60_000);
    if (stopping === null) throw new Error("nothing to claim");
    expect(stopping).toMatchObject({ attempts: 3, crashes: 2 });
    await settleImport(service, stopping, { status: "stopped" });
    await caller.run(operations.continueImport, { id });
    const late = { files: 9, read: 9, written: 9 };
    expect(await claimImport(service, 60_000)).toMatchObject({ attempts: 4, crashes: 2 });
    // What an attempt before the continuation still writes is rejected.
    for (const attempts of [1, 2, 3])
      expect(await reportImport(service, { ...stopping, attempts }, late, 1_000)).toBe("lost");
  });

  it("of one import are at most ten continuations", {
    meta: { proves: ["decision.app.import-continue"] },
  }, async () => {
    const caller = await appOf(people.editor);
    const id = await put(people.editor, stopped());
    for (let count = 0; count < 10; count += 1) {
      expect(await outcomeOf(caller.run(operations.continueImport, { id }))).toBe("done");
      await caller.run(operations.stopImport, { id });
    }
    expect(await outcomeOf(caller.run(operations.continueImport, { id }))).toBe("conflict");
    expect((await caller.run(operations.getImport, { id })).canContinue).toBe(false);
  });

  it("name the attempts that workers hold, so that a swept folder is of none", async () => {
    const id = await put(people.editor);
    await claimImport(service, 1_000);
    const held = () => findHeldAttempts(service, [id, newId()], 60_000);
    expect([...(await held())]).toEqual([[id, 1]]);
    clock.advance(62_000);
    expect([...(await held())]).toEqual([]);
  });
});
