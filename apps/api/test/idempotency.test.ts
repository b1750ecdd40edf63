import type { DocumentView } from "@kb/core";
import { sql } from "@kb/db";
import { type ApiClient, type Failure, type One, type Page, testClock } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

describe("Idempotency-Key", () => {
  const clock = testClock();
  let setting: Setting;
  let editor: ApiClient;
  beforeAll(async () => {
    setting = await openSetting({ clock });
    editor = setting.as(setting.world.people.editor);
  });
  afterAll(() => setting.close());

  const create = (title: string, key: string, by = editor) =>
    by.post<One<DocumentView>>(
      "/api/v1/documents",
      { title, collectionId: setting.world.collections.open },
      { "Idempotency-Key": key },
    );
  const named = async (title: string): Promise<number> =>
    (await editor.get<Page<DocumentView>>(`/api/v1/documents?title=${title}`)).body.total;

  it("the same key and request replay the stored answer [decision.api.idempotency-replay]", async () => {
    const first = await create("once", "key-1");
    expect(first.headers.get("Idempotency-Replayed")).toBeNull();
    const second = await create("once", "key-1");
    expect(second.headers.get("Idempotency-Replayed")).toBe("true");
    expect({ status: second.status, body: second.body }).toEqual({ status: 201, body: first.body });
    expect(second.headers.get("ETag")).toBe(first.headers.get("ETag"));
    expect(await named("once")).toBe(1);
  });

  it("the answer is the stored one, though the document has changed since [decision.api.idempotency-replay]", async () => {
    const first = await create("before", "key-2");
    await editor.patch<object>(`/api/v1/documents/${first.body.data.id}`, { title: "after" });
    expect((await create("before", "key-2")).body.data.title).toBe("before");
  });

  it("the same key with another request is 409 [decision.api.idempotency-mismatch]", async () => {
    await create("mine", "key-3");
    const { status, body } = await editor.post(
      "/api/v1/documents",
      { title: "other", collectionId: setting.world.collections.open },
      { "Idempotency-Key": "key-3" },
    );
    expect({ status, code: body.code }).toEqual({ status: 409, code: "idempotency_mismatch" });
    const elsewhere = await editor.post("/api/v1/tags", { name: "x" }, { "Idempotency-Key": "key-3" });
    expect(elsewhere).toMatchObject({ status: 409, body: { code: "idempotency_mismatch" } });
    expect(await named("other")).toBe(0);
  });

  it("a replay while the first still runs is 409 conflict with Retry-After: 1 [decision.api.idempotency-running]", async () => {
    const { teamId, people } = setting.world;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    // What the first request holds while it runs: here it is a transaction that the test ends.
    const first = setting.database.transaction(async (tx) => {
      await tx.rows(sql`SELECT ${teamId}::uuid AS "teamId",
        pg_advisory_xact_lock(hashtextextended(${`${teamId}:${people.editor.id}:key-4`}, 0))::text`);
      start();
      await held;
    });
    await started;
    const { status, headers, body } = await editor.post(
      "/api/v1/documents",
      { title: "twice", collectionId: setting.world.collections.open },
      { "Idempotency-Key": "key-4" },
    );
    release();
    await first;
    expect({ status, code: body.code, retry: headers.get("Retry-After") }).toEqual({
      ...{ status: 409, code: "conflict", retry: "1" },
    });
    expect((await create("twice", "key-4")).status).toBe(201);
  });

  it("of many at once exactly one creates; the others replay it or are told to wait [decision.api.idempotency-running]", async () => {
    const send = () =>
      editor.post<One<DocumentView> & Failure>(
        "/api/v1/documents",
        { title: "parallel", collectionId: setting.world.collections.open },
        { "Idempotency-Key": "key-5" },
      );
    const replies = await Promise.all(Array.from({ length: 20 }, send));
    expect(await named("parallel")).toBe(1);
    const created = replies.filter((reply) => reply.status === 201);
    expect(created.length).toBeGreaterThan(0);
    expect(new Set(created.map((reply) => reply.body.data.id)).size).toBe(1);
    expect(created.filter((reply) => reply.headers.get("Idempotency-Replayed") === null)).toHaveLength(1);
    for (const reply of replies.filter((one) => one.status !== 201)) {
      expect(reply).toMatchObject({ status: 409, body: { code: "conflict" } });
    }
  });

  it("a request that failed stored nothing and may be sent again [decision.api.idempotency-replay]", async () => {
    const path = "/api/v1/documents";
    const headers = { "Idempotency-Key": "key-6" };
    expect((await editor.post(path, { title: 5 }, headers)).status).toBe(400);
    expect((await create("again", "key-6")).headers.get("Idempotency-Replayed")).toBeNull();
  });

  it("an answer is kept for 24 hours [decision.api.idempotency-replay]", async () => {
    await create("daily", "key-7");
    clock.advance(24 * 60 * 60 * 1000 - 1);
    expect((await create("daily", "key-7")).headers.get("Idempotency-Replayed")).toBe("true");
    clock.advance(1);
    expect((await create("daily", "key-7")).headers.get("Idempotency-Replayed")).toBeNull();
    expect(await named("daily")).toBe(2);
  });

  it("a key belongs to its user [decision.api.idempotency-replay]", async () => {
    const mine = await create("shared", "key-8");
    const theirs = await create("shared", "key-8", setting.as(setting.world.people.member));
    expect(theirs.body.data.id).not.toBe(mine.body.data.id);
  });

  it("a stored answer does not reach another key of the same user [decision.api.idempotency-mismatch]", async () => {
    await create("wide", "key-10");
    const { people } = setting.world;
    const narrow = await setting.world.key(people.editor, ["write"], { restrictions: {} });
    const replayed = await create("wide", "key-10", setting.as(narrow));
    expect(replayed).toMatchObject({ status: 409, body: { code: "idempotency_mismatch" } });
  });

  it("every POST takes it [decision.api.idempotency-replay]", async () => {
    const document = (await create("all", "key-9")).body.data;
    const path = `/api/v1/documents/${document.id}`;
    const posts: [string, object?][] = [
      ["/api/v1/collections", { name: "Once" }],
      ["/api/v1/tags", { name: "once" }],
      [`${path}/edits`, { op: "append", markdown: "once" }],
      [`${path}/archive`],
      [`${path}/unarchive`],
      [`${path}/revisions/4/restore`],
    ];
    for (const [index, [at, json]] of posts.entries()) {
      const headers = { "Idempotency-Key": `every-${index}` };
      const first = await editor.post<object>(at, json, headers);
      const second = await editor.post<object>(at, json, headers);
      expect(first.status, at).toBeLessThan(300);
      expect({ status: second.status, body: second.body }, at).toEqual({ status: first.status, body: first.body });
      expect(second.headers.get("Idempotency-Replayed"), at).toBe("true");
    }
    await editor.delete<object>(path);
    const headers = { "Idempotency-Key": "restore" };
    expect((await editor.post<object>(`${path}/restore`, undefined, headers)).status).toBe(200);
    expect((await editor.post<object>(`${path}/restore`, undefined, headers)).status).toBe(200);
  });

  it("a key has 1 to 255 characters", async () => {
    expect((await create("long", "k".repeat(255))).status).toBe(201);
    expect((await create("long", "k".repeat(256))).status).toBe(400);
    expect((await create("long", "")).status).toBe(400);
  });
});
