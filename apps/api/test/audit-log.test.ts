import { flushAudit } from "@kb/core";
import { type ApiClient, api, type Failure, type Many } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Entry = { id: string; action: string; outcome: string; requestId: string | null; details: { code?: string } };

describe("the audit log over HTTP", () => {
  let setting: Setting;
  let auditor: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    auditor = setting.as(await setting.world.key(setting.world.people.admin, ["admin"]));
  });
  afterAll(() => setting.close());

  async function list(query = "") {
    await flushAudit(setting.world.service);
    return auditor.get<Many<Entry> & { nextCursor: string | null }>(`/api/v1/audit-log${query}`);
  }

  it("an entry has the X-Request-Id of its request", { meta: { proves: ["decision.audit.changes"] } }, async () => {
    const { editor } = setting.world.people;
    const { id } = setting.world.documents.guide;
    await setting.as(editor).send<object>("PATCH", `/api/v1/documents/${id}`, {
      json: { title: "Other" },
      headers: { "X-Request-Id": "request-77" },
    });
    const { status, body } = await list(`?targetId=${id}&limit=1`);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [expect.objectContaining({ action: "documents.update", requestId: "request-77" })],
      nextCursor: expect.any(String),
    });
  });

  it("a replayed answer leaves no entry", { meta: { proves: ["decision.audit.changes"] } }, async () => {
    const { id } = setting.world.documents.child;
    const editor = setting.as(setting.world.people.editor);
    const append = () =>
      editor.post<object>(
        `/api/v1/documents/${id}/edits`,
        { op: "append", markdown: "x" },
        { "Idempotency-Key": "one" },
      );
    await append();
    await append();
    const { body } = await list(`?targetId=${id}&action=documents.edit`);
    expect(body.data).toHaveLength(1);
  });

  it("a 403 and a 404 are recorded as refusals; 400, 401 and an unknown route are not", {
    meta: { proves: ["decision.audit.denials", "decision.api.hidden"] },
  }, async () => {
    const { people, documents } = setting.world;
    const viewer = setting.as(people.viewer);
    await viewer.patch(`/api/v1/documents/${documents.granted.id}`, { title: "x" });
    await viewer.get(`/api/v1/documents/${documents.secret.id}`);
    const [hidden, forbidden] = (await list(`?userId=${people.viewer.id}&limit=2`)).body.data;
    expect(hidden).toMatchObject({ action: "documents.get", outcome: "not_found", details: { code: "not_found" } });
    expect(forbidden).toMatchObject({ action: "documents.update", outcome: "denied", details: { code: "forbidden" } });
    await viewer.get("/api/v1/documents?limit=0");
    await viewer.get("/api/v1/nothing");
    await setting.as(null).get("/api/v1/documents");
    expect((await list("?limit=1")).body.data).toEqual([hidden]);
  });

  it("returns 403 to every credential but an admin's key with the scope admin and, in the app, an admin's session", {
    meta: { proves: ["decision.audit.read"] },
  }, async () => {
    const { people } = setting.world;
    for (const key of [people.admin.key, await setting.world.key(people.editor, ["admin"])]) {
      expect((await setting.as(key).get("/api/v1/audit-log")).status).toBe(403);
    }
    expect((await auditor.post("/api/audit.list", {})).status).toBe(403);
    const admin = api(setting.app, await setting.world.session(people.admin));
    const listed = await admin.post<Many<Entry>>("/api/audit.list", { limit: 5, outcome: "success" });
    expect(listed.status).toBe(200);
    expect(listed.body.data).toEqual((await list("?limit=5&outcome=success")).body.data);
    const editor = api(setting.app, await setting.world.session(people.editor));
    expect((await editor.post<Failure>("/api/audit.list", {})).status).toBe(403);
  });

  it("returns the next page for its cursor, and 400 for an invalid parameter", {
    meta: { proves: ["decision.audit.paging"] },
  }, async () => {
    const whole = (await list("?limit=4")).body;
    const first = (await list("?limit=2")).body;
    const second = (await list(`?limit=2&cursor=${first.nextCursor}`)).body;
    expect([...first.data, ...second.data]).toEqual(whole.data);
    expect((await list(`?targetId=${unknownId}`)).body).toEqual({ data: [], nextCursor: null });
    for (const query of ["since=now", "userId=me", "targetId=x", "outcome=fine", "limit=101", "cursor=x", "page=2"]) {
      expect((await auditor.get(`/api/v1/audit-log?${query}`)).status, query).toBe(400);
    }
  });
});
