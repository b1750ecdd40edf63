import { ServiceError } from "@kb/core";
import { createWorld, type World } from "@kb/core/testing";
import { connect, type Database, DatabaseUnavailableError, newId, stampChange } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Assets } from "./assets.ts";
import type { Placed } from "./plan.ts";
import { folderDraft } from "./read.ts";
import { retryingStore } from "./retrying-store.ts";
import { collectionStore, type Store } from "./store.ts";

let test: TestDatabase;
let world: World;
/** Gives up after a short time. */
let hasty: Database;

beforeAll(async () => {
  test = await testDatabase();
  world = await createWorld(test.database);
  hasty = connect({ url: test.url, applicationName: "kb-test", statementTimeoutMs: 300, connectTimeoutMs: 15_000 });
});

afterAll(async () => {
  await hasty?.close();
  await test?.drop();
});

function storeOf(database: Database): Store {
  const { actor } = world.people.admin;
  const service = { ...world.service, database };
  const place = { service, actor: () => actor, collectionId: world.collections.open, publish: true };
  return collectionStore(place, new Assets(place, new Map()));
}

const placed = (name: string): Placed => ({
  page: { name, path: `${name}.md`, file: null, folder: null, children: [] },
  id: newId(),
  parentId: null,
  position: 0,
  existing: undefined,
});

const countOf = (title: string): Promise<number> =>
  test.database.client.document.count({ where: { teamId: world.teamId, title } });

const waits = Array.from({ length: 100 }, () => 0.01);
const { signal } = new AbortController();

/** The store, the first answers of which are lost after its work is done. */
function forgetful(store: Store, times: number): { store: Store; calls: () => number } {
  let calls = 0;
  const create: Store["create"] = async (...args) => {
    calls += 1;
    await store.create(...args);
    if (calls <= times) throw new DatabaseUnavailableError(new Error("the answer was lost"));
  };
  return { store: { ...store, create }, calls: () => calls };
}

describe("an import while PostgreSQL does not respond in time", { timeout: 120_000 }, () => {
  it("writes a page as soon as it does, and reports each wait", async () => {
    const locked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const held = test.database.transaction(
      async (tx) => {
        await stampChange(tx, world.teamId, new Date());
        locked.resolve();
        await released.promise;
      },
      { timeoutMs: 110_000 },
    );
    await locked.promise;
    const waited: number[] = [];
    const onWait = (seconds: number): void => {
      if (waited.push(seconds) === 2) released.resolve();
    };
    const store = retryingStore(storeOf(hasty), { onWait, signal, waits });
    const page = placed("Late");
    await store.create(page, folderDraft("Late"), { text: "Late.\n" });
    await held;
    expect(waited.length).toBeGreaterThanOrEqual(2);
    expect(await countOf("Late")).toBe(1);
    expect(await store.markdown(page.id)).toBe("Late.\n");
  });

  it("creates a document once where the answer to its creation was lost", async () => {
    const { store, calls } = forgetful(storeOf(test.database), 1);
    const retrying = retryingStore(store, { onWait: () => {}, signal, waits });
    await retrying.create(placed("Once"), folderDraft("Once"), { text: "" });
    expect([calls(), await countOf("Once")]).toEqual([1, 1]);
  });

  it("repeats nothing once it is stopped, nor what fails for another reason", async () => {
    const { store, calls } = forgetful(storeOf(test.database), 9);
    const retries = { onWait: () => {}, waits };
    const alone = retryingStore(store, { ...retries, signal: AbortSignal.abort() });
    await expect(alone.create(placed("Gone"), folderDraft("Gone"), { text: "" })).rejects.toThrow(
      DatabaseUnavailableError,
    );
    expect(calls()).toBe(1);
    const wrong = { ...placed("Wrong"), parentId: newId() };
    const kept = retryingStore(storeOf(test.database), { ...retries, signal });
    await expect(kept.create(wrong, folderDraft("Wrong"), { text: "" })).rejects.toThrow(ServiceError);
  });
});
