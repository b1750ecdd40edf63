import { routes } from "@kb/api";
import type { DocumentView } from "@kb/core";
import type { ApiClient, Failure, One } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

describe("requests of every kind", () => {
  let setting: Setting;
  let editor: ApiClient;
  let guide: string;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
    guide = `/api/v1/documents/${setting.world.documents.guide.id}`;
  });
  afterAll(() => setting.close());

  const json = { "Content-Type": "application/json" };

  it.each([
    ["cut off", '{"title":"x"'],
    ["two values", '{"title":"x"} {}'],
    ["a trailing comma", '{"title":"x",}'],
    ["single quotes", "{'title':'x'}"],
    ["a list", "[]"],
    ["a string", '"title"'],
    ["null", "null"],
    ["a number", "1"],
    ["bytes that are not UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])(
    "a body that is %s is a validation error",
    { meta: { proves: ["errors.validation", "errors.body", "decision.api.error-body"] } },
    async (_, raw) => {
      const { status, body } = await editor.send<Failure>("PATCH", guide, { raw, headers: json });
      expect({ status, code: body.code }).toEqual({ status: 400, code: "validation_error" });
      expect(body.error.length).toBeGreaterThan(10);
      expect(body.details?.every((detail) => typeof detail.path === "string" && detail.message !== "")).toBe(true);
    },
  );

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/json; charset=latin1",
    "application/jsonx",
    "",
  ])("a body of type %j is 415", { meta: { proves: ["service.json", "decision.api.code.payload"] } }, async (type) => {
    const raw = new TextEncoder().encode('{"title":"x"}');
    const headers = type === "" ? {} : { "Content-Type": type };
    const { status, body } = await editor.send<Failure>("PATCH", guide, { raw, headers });
    expect({ status, code: body.code }).toEqual({ status: 415, code: "unsupported_media_type" });
  });

  it("JSON is accepted in any spelling of its type, and returned as application/json", {
    meta: { proves: ["service.json"] },
  }, async () => {
    for (const type of ["application/json", "Application/JSON", "application/json; charset=utf-8"]) {
      const reply = await editor.send<object>("PATCH", guide, { raw: "{}", headers: { "Content-Type": type } });
      expect(reply.status).toBe(200);
      expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
    }
  });

  it("a body over 5 MB is 413, before it is read", {
    meta: { proves: ["decision.api.body-limit", "decision.api.code.payload"] },
  }, async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(1024 * 1024).fill(0x20));
      },
    });
    const streamed = await editor.send<Failure>("PATCH", guide, { raw: endless, headers: json });
    expect(streamed).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
    expect(pulled).toBeLessThan(10);
    const declared = await editor.send<Failure>("PATCH", guide, {
      raw: new ReadableStream({ pull: () => Promise.reject(new Error("the body was read")) }),
      headers: { ...json, "Content-Length": "6000000" },
    });
    expect(declared).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
    const six = await editor.patch(guide, { text: "x".repeat(6_000_000) });
    expect(six).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
  });

  it("Markdown of more than 1,500,000 characters is 413, and one character less is stored", {
    meta: { proves: ["decision.api.markdown-limit"] },
  }, async () => {
    const line = `${"word ".repeat(20).trim()}\n\n`;
    const most = line.repeat(Math.floor(1_499_999 / line.length));
    const text = `${most}${"x".repeat(1_499_999 - most.length)}\n`;
    const created = await editor.post<One<DocumentView>>("/api/v1/documents", {
      collectionId: setting.world.collections.open,
      text,
    });
    expect(created.status).toBe(201);
    const { body } = await editor.get<One<DocumentView>>(`/api/v1/documents/${created.body.data.id}?format=markdown`);
    expect(body.data.markdownText).toBe(text);
    const over = await editor.patch(`/api/v1/documents/${created.body.data.id}`, { text: `${text}x` });
    expect(over).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
  });

  it("an unknown query parameter is an error that names it", {
    meta: { proves: ["decision.api.unknown-query-parameter"] },
  }, async () => {
    for (const path of ["/api/v1/documents", guide, "/api/v1/collections", "/api/v1/tags", "/api/v1/search?query=x"]) {
      const separator = path.includes("?") ? "&" : "?";
      const { status, body } = await editor.get(`${path}${separator}colour=red`);
      expect({ status, code: body.code }, path).toEqual({ status: 400, code: "validation_error" });
      expect(body.details?.map((detail) => detail.path)).toEqual(["colour"]);
    }
    const { status, body } = await editor.patch(`${guide}?title=x`, {});
    expect({ status, path: body.details?.[0]?.path }).toEqual({ status: 400, path: "title" });
  });

  it("a parameter that is not a list may be sent once; a value of the wrong type is rejected", async () => {
    for (const query of [
      "limit=1&limit=2",
      "deleted=yes",
      "deleted=1",
      "limit=1.0",
      "limit=1e1",
      "limit=+1",
      "offset=-1",
    ]) {
      expect(await editor.get(`/api/v1/documents?${query}`), query).toMatchObject({ status: 400 });
    }
    expect((await editor.get<object>("/api/v1/documents?deleted=false")).status).toBe(200);
  });

  it.each([
    "x",
    "1",
    "null",
    "00000000-0000-7000-8000-00000000000",
    "00000000-0000-7000-8000-00000000000g",
    "%00",
    "%20",
  ])(
    "the malformed id %s in a path is 404 with any method",
    { meta: { proves: ["decision.api.uuid-path"] } },
    async (id) => {
      for (const method of ["GET", "PATCH", "DELETE", "PUT", "POST"]) {
        const { status, body } = await editor.send<Failure>(method, `/api/v1/documents/${id}`);
        expect({ status, body }, method).toEqual({
          status: 404,
          body: { error: "Document not found", code: "not_found" },
        });
      }
      for (const [method, path, what] of [
        ["GET", `/api/v1/collections/${id}`, "Collection"],
        ["PATCH", `/api/v1/collections/${id}`, "Collection"],
        ["DELETE", `/api/v1/collections/${id}`, "Collection"],
        ["POST", `/api/v1/documents/${id}/restore`, "Document"],
        ["POST", `/api/v1/documents/${id}/edits`, "Document"],
        ["GET", `/api/v1/documents/${id}/revisions/1`, "Document"],
      ] as const) {
        const { status, body } = await editor.send<Failure>(method, path);
        expect({ status, error: body.error }, `${method} ${path}`).toEqual({ status: 404, error: `${what} not found` });
      }
    },
  );

  it.each(["0", "-1", "1.5", "x", "99999999999999999999", "2147483648"])(
    "the revision %s is not found",
    async (revision) => {
      const { status, body } = await editor.get(`${guide}/revisions/${revision}`);
      expect({ status, error: body.error }).toEqual({ status: 404, error: "Revision not found" });
    },
  );

  it("a malformed id in a body or a query is 400", { meta: { proves: ["decision.api.uuid-body"] } }, async () => {
    for (const query of ["collectionId=x", "parentDocumentId=x", "collectionId=", "parentDocumentId=null"]) {
      expect(await editor.get(`/api/v1/documents?${query}`), query).toMatchObject({
        status: 400,
        body: { code: "validation_error", details: [{ path: query.split("=")[0] }] },
      });
    }
    expect((await editor.get("/api/v1/search?query=x&collectionId=x")).status).toBe(400);
    expect((await editor.post("/api/v1/documents", { collectionId: "x" })).status).toBe(400);
  });

  it("a key of the body that the path has already is 400, with the same value too", {
    meta: { proves: ["decision.api.unknown-body-key"] },
  }, async () => {
    const changes = routes("http://localhost").filter(
      ({ method, pathParameters, caller }) => method !== "get" && pathParameters.length > 0 && caller === "user",
    );
    expect(changes.length).toBeGreaterThan(8);
    const id = setting.world.documents.guide.id;
    for (const { method, path, pathParameters } of changes) {
      const where = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === "revision" ? "1" : id));
      for (const name of pathParameters) {
        const answer = await editor.send<Failure>(method.toUpperCase(), where, { json: { [name]: id } });
        expect(answer, `${method} ${path}`).toMatchObject({
          status: 400,
          body: { code: "validation_error", details: [{ path: name }] },
        });
      }
    }
  });

  it("an unknown id in a filter is an empty list", { meta: { proves: ["decision.api.uuid-unknown"] } }, async () => {
    for (const filter of ["collectionId", "parentDocumentId"]) {
      const { status, body } = await editor.get<{ total: number; data: object[] }>(
        `/api/v1/documents?${filter}=${unknownId}`,
      );
      expect({ status, total: body.total, data: body.data }).toEqual({ status: 200, total: 0, data: [] });
    }
  });

  const unprintable = ["\u0000", "\u0001", "\u000b", "\u000c", "\r", "\u001f", "\ud800", "\udc00a"];

  it("control characters and lone surrogates are rejected in every text except Markdown", {
    meta: { proves: ["decision.api.text-controls"] },
  }, async () => {
    const collectionId = setting.world.collections.open;
    for (const bad of unprintable) {
      const raw = (input: object): string => JSON.stringify(input);
      const refused: [string, string, object, string][] = [
        ["POST", "/api/v1/documents", { collectionId, title: `a${bad}` }, "title"],
        ["PATCH", guide, { title: `a${bad}` }, "title"],
        ["PATCH", guide, { tags: [`a${bad}`] }, "tags.0"],
        ["POST", "/api/v1/collections", { name: `a${bad}` }, "name"],
        ["POST", "/api/v1/collections", { name: "a", description: bad }, "description"],
        ["POST", "/api/v1/collections", { name: "a", icon: bad }, "icon"],
        ["POST", "/api/v1/tags", { name: `a${bad}` }, "name"],
        ["POST", `${guide}/edits`, { op: "insert_after_heading", heading: `a${bad}`, markdown: "x" }, "heading"],
        ["POST", `${guide}/edits`, { op: "replace_text", oldText: `a${bad}`, newText: "x" }, "oldText"],
      ];
      for (const [method, path, input, field] of refused) {
        const { status, body } = await editor.send<Failure>(method, path, { raw: raw(input), headers: json });
        expect({ status, field: body.details?.[0]?.path }, `${path} ${raw(input)}`).toEqual({ status: 400, field });
      }
    }
    expect((await editor.get("/api/v1/documents?title=a%00")).status).toBe(400);
    expect((await editor.get("/api/v1/search?query=a%00")).status).toBe(400);
  });

  it("control characters and lone surrogates are repaired in Markdown", {
    meta: { proves: ["decision.api.text-controls"] },
  }, async () => {
    for (const bad of unprintable) {
      const { status, body } = await editor.post<One<DocumentView>>("/api/v1/documents", {
        collectionId: setting.world.collections.open,
        text: `a ${bad} b\n\n\`${bad}\``,
      });
      expect(status, JSON.stringify(bad)).toBe(201);
      expect(body.data.text).toMatch(/^a/);
      expect(body.data.text?.isWellFormed()).toBe(true);
      expect(body.data.text).not.toContain(bad);
    }
  });

  it("tab and line feed are ordinary characters", { meta: { proves: ["decision.api.text-controls"] } }, async () => {
    const { body } = await editor.patch<One<DocumentView>>(guide, { title: "a\tb\nc" });
    expect(body.data.title).toBe("a\tb\nc");
  });

  it("X-Request-Id is returned if it has 1 to 128 characters of [A-Za-z0-9._-], otherwise generated", {
    meta: { proves: ["decision.api.request-id"] },
  }, async () => {
    for (const id of ["a", "A.b_c-9", "x".repeat(128)]) {
      expect((await editor.get<object>(guide, { "X-Request-Id": id })).headers.get("X-Request-Id")).toBe(id);
    }
    const made = new Set<string | null>();
    for (const id of [undefined, "x".repeat(129), "a b", "ä", "<script>"]) {
      const { headers } = await editor.get<object>(guide, id === undefined ? {} : { "X-Request-Id": id });
      expect(headers.get("X-Request-Id")).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
      made.add(headers.get("X-Request-Id"));
    }
    expect(made.size).toBe(5);
    const refused = await setting.as(null).get("/api/v1/me", { "X-Request-Id": "mine" });
    expect(refused.headers.get("X-Request-Id")).toBe("mine");
    expect((await editor.get("/api/nothing", { "X-Request-Id": "mine" })).headers.get("X-Request-Id")).toBe("mine");
  });

  it("a method that a path does not support is 405 with the supported ones", {
    meta: { proves: ["decision.api.code.method-not-allowed"] },
  }, async () => {
    for (const [method, path, allowed] of [
      ["PUT", guide, ["GET", "PATCH", "DELETE"]],
      ["DELETE", "/api/v1/documents", ["GET", "POST"]],
      ["DELETE", `/api/v1/collections/${setting.world.collections.open}`, ["GET", "PATCH"]],
      ["GET", `${guide}/restore`, ["POST"]],
      ["PATCH", "/api/v1/tags", ["GET", "POST"]],
    ] as const) {
      const { status, headers, body } = await editor.send<Failure>(method, path);
      expect({ status, code: body.code }, `${method} ${path}`).toEqual({ status: 405, code: "method_not_allowed" });
      for (const one of allowed) expect(headers.get("Allow")?.split(", ")).toContain(one);
    }
  });

  it("HEAD returns the headers of GET without a body", async () => {
    const { status, headers, body } = await headOf(guide);
    expect(status).toBe(200);
    expect(headers.get("ETag")).toMatch(/^"\d+"$/);
    expect(body).toBe("");
  });

  async function headOf(path: string) {
    const { key } = setting.world.people.editor;
    const response = await setting.app.request(path, { method: "HEAD", headers: { Authorization: `Bearer ${key}` } });
    return { status: response.status, headers: response.headers, body: await response.text() };
  }
});
