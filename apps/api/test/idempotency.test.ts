import type { DocumentView } from "@kb/core";
import { holdIdempotencyKey } from "@kb/core/testing";
import type { ApiClient, One, Page } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

// The replay itself is proved in packages/core/src/idempotency.test.ts: here are the header, statuses and the hash of a request.

describe("Idempotency-Key", () => {
  let setting: Setting;
  let editor: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
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

  it("the same key and request replay the stored answer", {
    meta: { proves: ["decision.api.idempotency-replay"] },
  }, async () => {
    const first = await create("once", "key-1");
    expect(first.headers.get("Idempotency-Replayed")).toBeNull();
    const second = await create("once", "key-1");
    expect(second.headers.get("Idempotency-Replayed")).toBe("true");
    expect({ status: second.status, body: second.body }).toEqual({ status: 201, body: first.body });
    expect(second.headers.get("ETag")).toBe(first.headers.get("ETag"));
    expect(await named("once")).toBe(1);
  });

  it("the same key with another request is 409", {
    meta: { proves: ["decision.api.idempotency-mismatch"] },
  }, async () => {
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

  it("a replay during the first request is 409 conflict with Retry-After: 1", {
    meta: { proves: ["decision.api.idempotency-running"] },
  }, async () => {
    const { world } = setting;
    const release = await holdIdempotencyKey(world, world.people.editor.id, "key-4");
    const { status, headers, body } = await editor.post(
      "/api/v1/documents",
      { title: "twice", collectionId: world.collections.open },
      { "Idempotency-Key": "key-4" },
    );
    await release();
    expect({ status, code: body.code, retry: headers.get("Retry-After") }).toEqual({
      status: 409,
      code: "conflict",
      retry: "1",
    });
    expect((await create("twice", "key-4")).status).toBe(201);
  });

  it("a failed request stores nothing and can be repeated", {
    meta: { proves: ["decision.api.idempotency-replay"] },
  }, async () => {
    const path = "/api/v1/documents";
    const headers = { "Idempotency-Key": "key-6" };
    expect((await editor.post(path, { title: 5 }, headers)).status).toBe(400);
    expect((await create("again", "key-6")).headers.get("Idempotency-Replayed")).toBeNull();
  });

  it("a stored response is not replayed to another key of the same user", {
    meta: { proves: ["decision.api.idempotency-mismatch"] },
  }, async () => {
    await create("wide", "key-10");
    const { people } = setting.world;
    const narrow = await setting.world.key(people.editor, ["write"], { restrictions: {} });
    const replayed = await create("wide", "key-10", setting.as(narrow));
    expect(replayed).toMatchObject({ status: 409, body: { code: "idempotency_mismatch" } });
  });

  it("every POST accepts it", { meta: { proves: ["decision.api.idempotency-replay"] } }, async () => {
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
