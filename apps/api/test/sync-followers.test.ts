import type { DocumentView } from "@kb/core";
import type { ApiClient, One, Page } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

type Tombstone = { id: string; deletedAt: string; tombstone: true };
type SyncPage = { data: (DocumentView | Tombstone)[]; hasMore: boolean; nextCursor: string };

const steps = Number(process.env.KB_FUZZ_STEPS ?? 150);
const seed = Number(process.env.KB_FUZZ_SEED ?? Date.now() % 2 ** 31);

/** A small generator (mulberry32): the same seed gives the same changes. */
function generator(state: number): (below: number) => number {
  let a = state;
  return (below) => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** A client that keeps what the sync tells it, and nothing else. */
class Follower {
  readonly name: string;
  readonly client: ApiClient;
  readonly held = new Map<string, number>();
  #next = `updatedSince=${new Date(Date.now() - 86_400_000).toISOString()}`;

  constructor(name: string, client: ApiClient) {
    this.name = name;
    this.client = client;
  }

  async follow(limit: number): Promise<void> {
    for (;;) {
      const path = `/api/v1/documents?${this.#next}&includeDeleted=true&limit=${limit}`;
      const { status, body } = await this.client.get<SyncPage>(path);
      if (status !== 200) throw new Error(`${this.name}: ${path} answered ${status}`);
      for (const row of body.data) {
        if ("tombstone" in row) this.held.delete(row.id);
        else this.held.set(row.id, row.revision);
      }
      this.#next = `cursor=${body.nextCursor}`;
      if (!body.hasMore) return;
    }
  }

  async visible(): Promise<Map<string, number>> {
    const rows = new Map<string, number>();
    for (let offset = 0; ; offset += 100) {
      const { body } = await this.client.get<Page<DocumentView>>(
        `/api/v1/documents?limit=100&sort=createdAt&offset=${offset}`,
      );
      for (const row of body.data) rows.set(row.id, row.revision);
      if (body.data.length < 100) return rows;
    }
  }
}

describe(`followers of the sync (${steps} changes, seed ${seed})`, () => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting();
  });
  afterAll(() => setting.close());

  it(
    "each holds exactly what it may see, whatever was changed, moved, hidden, trashed or brought back [decision.sync.tombstones] [decision.sync.cursor] [decision.access.restricted-views]",
    async () => {
      const { world } = setting;
      const { people, collections, documents } = world;
      const random = generator(seed);
      const pick = <T>(values: readonly T[]): T => {
        const value = values[random(values.length)];
        if (value === undefined) throw new Error("nothing to pick from");
        return value;
      };
      const narrow = await world.key(people.editor, ["read"], {
        restrictions: {
          collections: { [collections.open]: "read" },
          documents: { [documents.child.id]: "none", [documents.adminDraft.id]: "read" },
        },
      });
      const writers = [people.admin, people.admin, people.editor, people.member].map(setting.as);
      const followers = [
        ...(["admin", "editor", "member", "viewer", "outsider"] as const).map(
          (who) => new Follower(who, setting.as(people[who])),
        ),
        new Follower("restricted key", setting.as(narrow)),
      ];
      const places = [collections.open, collections.readable, collections.vault, collections.granted];
      const ids = Object.values(documents).map((document) => document.id);
      const changes: ((by: ApiClient, path: string) => Promise<unknown>)[] = [
        async (by) => {
          const json = {
            collectionId: pick(places),
            publish: random(2) === 0,
            ...(random(2) === 0 ? {} : { parentDocumentId: pick(ids) }),
          };
          const { status, body } = await by.post<One<DocumentView>>("/api/v1/documents", json);
          if (status === 201) ids.push(body.data.id);
        },
        (by, path) => by.patch<object>(path, { title: `Title ${random(1000)}` }),
        (by, path) => by.patch<object>(path, { published: random(2) === 0 }),
        (by, path) => by.patch<object>(path, { collectionId: pick(places) }),
        (by, path) => by.patch<object>(path, { parentDocumentId: random(3) === 0 ? null : pick(ids) }),
        (by, path) => by.delete<object>(path),
        (by, path) => by.post<object>(`${path}/restore`),
        (by, path) => by.post<object>(`${path}/restore`, { collectionId: pick(places) }),
        (by, path) => by.post<object>(`${path}/archive`),
        (by, path) => by.post<object>(`${path}/unarchive`),
        (by) => by.post<object>(`/api/v1/collections/${pick(places)}/${random(4) === 0 ? "archive" : "unarchive"}`),
      ];
      for (let step = 0; step < steps; step += 1) {
        await pick(changes)(pick(writers), `/api/v1/documents/${pick(ids)}`);
        if (random(5) > 0 && step < steps - 1) continue;
        for (const follower of followers) {
          await follower.follow(pick([1, 2, 3, 10, 500]));
          const [held, visible] = [follower.held, await follower.visible()].map((rows) =>
            Object.fromEntries([...rows].sort()),
          );
          expect(held, `${follower.name} after step ${step}, seed ${seed}`).toEqual(visible);
        }
      }
    },
    60_000 + steps * 400,
  );
});
