import type { DocumentView } from "@kb/core";
import type { ApiClient, Failure, One } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

describe("hostile input", () => {
  let setting: Setting;
  let editor: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
  });
  afterAll(() => setting.close());

  const post = (input: object) =>
    editor.post<One<DocumentView> & Failure>("/api/v1/documents", {
      collectionId: setting.world.collections.open,
      ...input,
    });
  const paragraph = (...content: object[]): object => ({ type: "doc", content: [{ type: "paragraph", content }] });

  it.each(["\u0000", "\u0001", "\u000b", "\ud800", "\udc00", "\ufffe", "\u202e"])(
    "%j anywhere in structured JSON is rejected or repaired, never a 5xx",
    { meta: { proves: ["decision.api.text-controls", "errors.validation"] } },
    async (bad) => {
      const text = { type: "text", text: `a${bad}b` };
      const trees: object[] = [
        paragraph(text),
        paragraph({ ...text, marks: [{ type: "link", attrs: { href: `https://example.org/${bad}`, title: bad } }] }),
        paragraph({ type: "image", attrs: { src: `https://example.org/${bad}.png`, alt: bad, title: bad } }),
        { type: "doc", content: [{ type: "code_block", attrs: { language: bad }, content: [text] }] },
        { type: "doc", content: [{ type: "heading", attrs: { level: 1, id: `x${bad}` }, content: [text] }] },
        { type: `doc${bad}`, content: [] },
        { type: "doc", content: [], [bad]: 1 },
      ];
      for (const content of trees) {
        const { status, body } = await post({ content });
        expect(status, JSON.stringify(content)).toBeOneOf([201, 400]);
        if (status === 201) expect(body.data.text?.isWellFormed()).toBe(true);
      }
    },
  );

  it("a body with more blocks than the limit is 413, in Markdown and in JSON", {
    meta: { proves: ["decision.api.markdown-limit"] },
  }, async () => {
    const text = "a\n\n".repeat(150_000);
    expect(await post({ text })).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
    const content = { type: "doc", content: Array.from({ length: 200_001 }, () => ({ type: "paragraph" })) };
    expect(await post({ content })).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
  });

  it("structured JSON nested ten thousand levels deep is rejected in time", {
    meta: { proves: ["errors.validation"] },
  }, async () => {
    const depth = 10_000;
    const nested = `${'{"type":"blockquote","content":['.repeat(depth)}{"type":"paragraph"}${"]}".repeat(depth)}`;
    const raw = `{"collectionId":"${setting.world.collections.open}","content":{"type":"doc","content":[${nested}]}}`;
    const headers = { "Content-Type": "application/json" };
    const { status } = await editor.send("POST", "/api/v1/documents", { raw, headers });
    expect(status).toBeOneOf([400, 413]);
  });

  it.each([
    ["quotes in quotes", "> ".repeat(20_000)],
    [
      "lists in lists",
      Array.from({ length: 2_000 }, (_, depth) => `${"  ".repeat(Math.min(depth, 200))}- a`).join("\n"),
    ],
    ["open brackets", "[".repeat(100_000)],
    ["open emphasis", "*a ".repeat(50_000)],
    ["open images", "![a".repeat(50_000)],
    ["a wide table", `|${"a|".repeat(5_000)}\n|${"-|".repeat(5_000)}\n`],
    ["many references", `${"[a]".repeat(20_000)}\n\n[a]: https://example.org/${"x".repeat(2_000)}`],
    ["many footnotes", Array.from({ length: 5_000 }, (_, n) => `[^${n}]: note\n\n`).join("")],
  ])("Markdown of %s is answered in ten seconds", async (_, text) => {
    const start = performance.now();
    const { status } = await post({ text });
    expect(status).toBeOneOf([201, 400, 413]);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it("a forged cursor is rejected, or hides nothing", {
    meta: { proves: ["errors.validation"] },
  }, async () => {
    const path = "/api/v1/documents";
    const { body } = await editor.get<{ nextCursor: string }>(`${path}?updatedSince=1970-01-01T00:00:00Z`);
    const real = JSON.parse(Buffer.from(body.nextCursor, "base64url").toString());
    for (const change of [
      { at: -8.64e15 },
      { at: 8.64e15 },
      { at: 1.5 },
      { at: "1" },
      { at: 8.64e15 + 1 },
      { at: -62_167_219_200_001 },
      { made: -8.64e15 },
      { made: 8.64e15 },
      { id: "x" },
      { id: null },
      { access: "" },
      { extra: 1 },
    ]) {
      const cursor = Buffer.from(JSON.stringify({ ...real, ...change })).toString("base64url");
      for (const more of ["", "&includeDeleted=true"]) {
        const { status } = await editor.get<object>(`${path}?cursor=${cursor}${more}`);
        expect(status, JSON.stringify(change)).toBeOneOf([200, 400, 410]);
      }
    }
  });

  it("the earliest and latest times are handled", { meta: { proves: ["documents.list.updated-since"] } }, async () => {
    for (const at of [
      "0001-01-01T00:00:00Z",
      "0000-01-01T00:00:00Z",
      "9999-12-31T23:59:59.999999Z",
      "2026-01-01T00:00:00.123456789-23:59",
    ]) {
      const { status } = await editor.get<object>(`/api/v1/documents?updatedSince=${encodeURIComponent(at)}`);
      expect(status, at).toBeOneOf([200, 400]);
    }
  });

  it("numbers at the ends of their range are returned unchanged", {
    meta: { proves: ["document.field.sort-order"] },
  }, async () => {
    for (const sortOrder of [2 ** 53 - 1, 1 - 2 ** 53, Number.MIN_VALUE, Number.EPSILON, 0.1 + 0.2, 1 / 3]) {
      const { status, body } = await post({ sortOrder });
      expect({ status, sortOrder: body.data.sortOrder }).toEqual({ status: 201, sortOrder });
      const read = await editor.get<One<DocumentView>>(`/api/v1/documents/${body.data.id}`);
      expect(read.body.data).toEqual(body.data);
    }
    for (const sortOrder of [2 ** 53, -(2 ** 53), Number.MAX_VALUE])
      expect((await post({ sortOrder })).status).toBe(400);
    const headers = { "Content-Type": "application/json" };
    const raw = `{"collectionId":"${setting.world.collections.open}","sortOrder":1e999}`;
    expect((await editor.send("POST", "/api/v1/documents", { raw, headers })).status).toBe(400);
  });

  it("an impossible revision is an ordinary conflict", {
    meta: { proves: ["decision.api.code.conflict"] },
  }, async () => {
    const path = `/api/v1/documents/${(await post({})).body.data.id}`;
    for (const revision of [2 ** 31, 2 ** 53 - 1]) {
      expect(await editor.patch(path, { title: "x", expectedRevision: revision })).toMatchObject({ status: 409 });
      expect(await editor.patch(path, { title: "x" }, { "If-Match": `"${revision}"` })).toMatchObject({ status: 412 });
    }
    expect((await editor.patch(path, { title: "x" }, { "If-Match": `"${"9".repeat(40)}"` })).status).toBe(412);
  });

  it("a hundred thousand tags are rejected in time", { meta: { proves: ["decision.tags.per-document"] } }, async () => {
    const tags = Array.from({ length: 100_000 }, (_, index) => `t${index}`);
    expect((await post({ tags })).status).toBe(400);
    expect((await post({ tags: Array(100_000).fill("same") })).status).toBeOneOf([201, 400]);
  });

  it("__proto__ and constructor are rejected like any other unknown key", {
    meta: { proves: ["decision.api.unknown-body-key"] },
  }, async () => {
    const headers = { "Content-Type": "application/json" };
    for (const key of ["__proto__", "constructor", "prototype", "toString"]) {
      const raw = `{"collectionId":"${setting.world.collections.open}","${key}":{"publish":true}}`;
      const { status, body } = await editor.send<Failure>("POST", "/api/v1/documents", { raw, headers });
      expect({ status, path: body.details?.[0]?.path }, key).toEqual({ status: 400, path: key });
    }
    expect((await editor.get("/api/v1/documents?__proto__=1")).status).toBe(400);
    expect((await editor.get("/api/v1/documents?constructor=1")).status).toBe(400);
  });

  it("a document is not created in a collection that is being archived", async () => {
    for (let round = 0; round < 8; round += 1) {
      const { id } = (await editor.post<One<{ id: string }>>("/api/v1/collections", { name: "Closing" })).body.data;
      const create = () => editor.post<One<DocumentView>>("/api/v1/documents", { collectionId: id });
      const [first, , second] = await Promise.all([
        create(),
        editor.post<object>(`/api/v1/collections/${id}/archive`),
        create(),
      ]);
      for (const { status } of [first, second]) expect(status).toBeOneOf([201, 409]);
      const { body } = await editor.get<{ total: number }>(`/api/v1/documents?collectionId=${id}`);
      expect(body.total).toBe(0);
    }
  });
});
