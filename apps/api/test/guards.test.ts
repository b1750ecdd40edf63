import type { DocumentView } from "@kb/core";
import type { ApiClient, Failure, One, Reply } from "@kb/http/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

describe("concurrency guards", () => {
  let setting: Setting;
  let editor: ApiClient;
  let path: string;
  let document: DocumentView;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
  });
  beforeEach(async () => {
    const json = { collectionId: setting.world.collections.open, title: "One", text: "first\n\nsame\n" };
    document = (await editor.post<One<DocumentView>>("/api/v1/documents", json)).body.data;
    path = `/api/v1/documents/${document.id}`;
  });
  afterAll(() => setting.close());

  it("every response that shows a document has its revision as ETag", {
    meta: { proves: ["decision.documents.etag"] },
  }, async () => {
    // Another author, so that the first state is kept as a revision of its own.
    const admin = setting.as(setting.world.people.admin);
    const replies: Reply<One<DocumentView>>[] = [
      await editor.get(path),
      await admin.patch(path, { title: "Two" }),
      await editor.post(`${path}/archive`),
      await editor.post(`${path}/unarchive`),
      await editor.post(`${path}/edits`, { op: "append", markdown: "x" }),
      await editor.post(`${path}/revisions/1/restore`),
    ];
    expect(replies.map((reply) => reply.headers.get("ETag"))).toEqual(['"1"', '"2"', '"3"', '"4"', '"5"', '"6"']);
    for (const { body, headers } of replies) expect(headers.get("ETag")).toBe(`"${body.data.revision}"`);
  });

  it("If-None-Match with the current revision is 304 without a body", {
    meta: { proves: ["decision.documents.etag"] },
  }, async () => {
    for (const tag of ['"1"', 'W/"1"', '"7", "1"', "*"]) {
      const { status, headers, body } = await editor.get<undefined>(path, { "If-None-Match": tag });
      expect({ status, body, etag: headers.get("ETag") }, tag).toEqual({ status: 304, body: undefined, etag: '"1"' });
    }
    for (const tag of ['"2"', '"11"', "1", '""']) {
      expect((await editor.get<object>(path, { "If-None-Match": tag })).status, tag).toBe(200);
    }
  });

  it("If-None-Match does not reveal a hidden document", { meta: { proves: ["decision.api.hidden"] } }, async () => {
    const viewer = setting.as(setting.world.people.viewer);
    expect((await viewer.get(path, { "If-None-Match": '"1"' })).status).toBe(404);
  });

  const mutations = (): [string, string, object?][] => [
    ["PATCH", path, { title: "Guarded" }],
    ["POST", `${path}/edits`, { op: "append", markdown: "guarded" }],
    ["POST", `${path}/archive`],
    ["POST", `${path}/revisions/1/restore`],
    ["DELETE", path],
  ];

  it("If-Match with another revision is 412 on every mutation, and nothing changes", {
    meta: { proves: ["decision.documents.if-match", "decision.api.code.conflict", "decision.api.revision-conflict"] },
  }, async () => {
    for (const [method, at, json] of mutations()) {
      const { status, body } = await editor.send<Failure>(method, at, { json, headers: { "If-Match": '"9"' } });
      expect({ status, code: body.code }, `${method} ${at}`).toEqual({ status: 412, code: "revision_conflict" });
      expect(body.details).toEqual([{ path: "If-Match", message: expect.any(String), currentRevision: 1 }]);
    }
    expect((await editor.get<One<DocumentView>>(path)).body.data).toEqual(document);
  });

  it("expectedRevision with another revision is 409 on every mutation, and nothing changes", {
    meta: { proves: ["decision.documents.if-match", "decision.api.code.conflict"] },
  }, async () => {
    for (const [method, at, json] of mutations()) {
      const { status, body } = await editor.send<Failure>(method, at, { json: { ...json, expectedRevision: 9 } });
      expect({ status, code: body.code }, `${method} ${at}`).toEqual({ status: 409, code: "revision_conflict" });
      expect(body.details).toEqual([{ path: "expectedRevision", message: expect.any(String), currentRevision: 1 }]);
    }
    expect((await editor.get<One<DocumentView>>(path)).body.data).toEqual(document);
  });

  it("the right revision passes on every mutation, restore from the trash too", {
    meta: { proves: ["decision.documents.if-match"] },
  }, async () => {
    await setting.as(setting.world.people.admin).patch<object>(path, { title: "By another" });
    let revision = 2;
    for (const [method, at, json] of [
      ["PATCH", path, { title: "Guarded" }],
      ["POST", `${path}/edits`, { op: "append", markdown: "guarded" }],
      ["POST", `${path}/archive`],
      ["POST", `${path}/unarchive`],
      ["POST", `${path}/revisions/1/restore`],
      ["DELETE", path],
      ["POST", `${path}/restore`],
    ] as [string, string, object?][]) {
      const guarded = { json: { ...json, expectedRevision: revision }, headers: { "If-Match": `"${revision}"` } };
      expect((await editor.send<object>(method, at, guarded)).status, `${method} ${at}`).toBe(200);
      revision += 1;
    }
    await editor.delete<object>(path);
    const stale = await editor.post(`${path}/restore`, {}, { "If-Match": '"1"' });
    expect(stale).toMatchObject({ status: 412, body: { details: [{ currentRevision: revision + 1 }] } });
  });

  it("If-Match accepts * and a list of tags as in HTTP, and rejects anything else", async () => {
    expect((await editor.patch<object>(path, { title: "a" }, { "If-Match": "*" })).status).toBe(200);
    expect((await editor.patch<object>(path, { title: "b" }, { "If-Match": '"9", "2"' })).status).toBe(200);
    expect((await editor.patch(path, { title: "c" }, { "If-Match": 'W/"3"' })).status).toBe(412);
    expect((await editor.patch(path, { title: "c" }, { "If-Match": "3" })).status).toBe(400);
    expect((await editor.patch(path, { title: "c" }, { "If-Match": '"3' })).status).toBe(400);
  });

  it("the conflict contains the difference if the expected revision is stored", {
    meta: { proves: ["decision.api.revision-conflict"] },
  }, async () => {
    // Another author, so that the first state is kept apart.
    const admin = setting.as(setting.world.people.admin);
    await admin.patch<object>(path, { text: "second\n\nsame\n" });
    for (const reply of [
      await editor.patch(path, { text: "mine", expectedRevision: 1 }),
      await editor.patch(path, { text: "mine" }, { "If-Match": '"1"' }),
    ]) {
      const [detail] = reply.body.details ?? [];
      expect(detail).toMatchObject({ currentRevision: 2 });
      const lines = String(detail?.diff).split("\n");
      expect(lines).toContain("-first");
      expect(lines).toContain("+second");
      expect(lines).not.toContain("-same");
    }
  });

  it("without a guard the last write wins", { meta: { proves: ["decision.documents.if-match"] } }, async () => {
    await editor.patch<object>(path, { text: "first" });
    expect((await editor.patch<One<DocumentView>>(path, { text: "last" })).body.data.text).toBe("last");
  });

  it("the guard is checked before the rest of the change", async () => {
    const { status } = await editor.patch(path, { title: "One", expectedRevision: 2 });
    expect(status).toBe(409);
  });

  it("exactly one of two writers with the same If-Match succeeds", {
    meta: { proves: ["decision.documents.if-match"] },
  }, async () => {
    for (let round = 0; round < 10; round += 1) {
      const revision = (await editor.get<One<DocumentView>>(path)).body.data.revision;
      const write = (title: string) => editor.patch<object>(path, { title }, { "If-Match": `"${revision}"` });
      const replies = await Promise.all([write(`a${round}`), write(`b${round}`)]);
      expect(replies.map((reply) => reply.status).sort()).toEqual([200, 412]);
      expect((await editor.get<One<DocumentView>>(path)).body.data.revision).toBe(revision + 1);
    }
  });
});
