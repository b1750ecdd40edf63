import type { DocumentView } from "@kb/core";
import type { ApiClient, Many, One, Page } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

type Tag = { id: string; name: string; color: string | null; documentCount?: number };

describe("tags", () => {
  let setting: Setting;
  let admin: ApiClient;
  let member: ApiClient;
  let viewer: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    admin = setting.as(setting.world.people.admin);
    member = setting.as(setting.world.people.member);
    viewer = setting.as(setting.world.people.viewer);
  });
  afterAll(() => setting.close());

  const list = async (by: ApiClient): Promise<readonly Tag[]> => (await by.get<Many<Tag>>("/api/v1/tags")).body.data;
  const count = async (name: string, by: ApiClient): Promise<number | undefined> =>
    (await list(by)).find((tag) => tag.name === name)?.documentCount;

  it("POST creates with 201 [tags.create] [tag.field.*] [decision.api.success-status]", async () => {
    const { status, body } = await member.post<One<Tag>>("/api/v1/tags", { name: "Fresh", color: "#F0a" });
    expect({ status, data: body.data }).toEqual({
      ...{ status: 201, data: { id: expect.any(String), name: "fresh", color: "#ff00aa" } },
    });
    expect((await list(viewer)).find((tag) => tag.name === "fresh")).toEqual({ ...body.data, documentCount: 0 });
  });

  it("a name of the same normal form is reused with 200, and keeps its color [tags.create.reuse] [tag.normalized] [decision.api.success-status]", async () => {
    const first = (await member.post<One<Tag>>("/api/v1/tags", { name: "two words", color: "#111111" })).body.data;
    for (const name of ["Two Words", "  two \t  words ", "ＴＷＯ words", "two\u00a0words"]) {
      const { status, body } = await member.post<One<Tag>>("/api/v1/tags", { name, color: "#222222" });
      expect({ status, data: body.data }, name).toEqual({ status: 200, data: first });
    }
  });

  it("a name is trimmed, folded, NFKC and lower case; 1 to 64 code points; no comma [decision.tags.name] [tag.flat]", async () => {
    for (const [name, normal] of [
      ["ÅNGSTRÖM", "ångström"],
      ["ﬁne", "fine"],
      ["①", "1"],
      ["İstanbul", "i̇stanbul"],
      ["a/b:c", "a/b:c"],
      ["🧪".repeat(64), "🧪".repeat(64)],
    ]) {
      expect((await member.post<One<Tag>>("/api/v1/tags", { name })).body.data.name).toBe(normal);
    }
    for (const name of ["", " \t\n", "a,b", "x".repeat(65), "🧪".repeat(65), "a\u0000", null, 5, undefined]) {
      expect((await member.post("/api/v1/tags", { name })).status, String(name)).toBe(400);
    }
  });

  it("color is #rrggbb, or null [tags.create.color] [decision.collections.color]", async () => {
    expect((await member.post<One<Tag>>("/api/v1/tags", { name: "no color", color: null })).body.data.color).toBeNull();
    for (const color of ["red", "#12", "#1234", "123456", 5]) {
      expect((await member.post("/api/v1/tags", { name: "bad color", color })).status, String(color)).toBe(400);
    }
    const unknown = await member.post("/api/v1/tags", { name: "x", restricted: true });
    expect(unknown.body.details).toEqual([{ path: "restricted", message: "Unknown field" }]);
  });

  it("GET lists them by name [tags.list]", async () => {
    const names = (await list(viewer)).map((tag) => tag.name);
    expect(names.length).toBeGreaterThan(3);
    expect(names).toEqual([...names].sort());
    expect(new Set(names).size).toBe(names.length);
  });

  it("restricted tags are seen by those on their list alone [tag.restricted-hidden] [tags.list] [decision.api.hidden]", async () => {
    const { hidden } = setting.world.tags;
    const sees = async (by: ApiClient): Promise<boolean> => (await list(by)).some((tag) => tag.id === hidden);
    expect(await sees(admin)).toBe(true);
    expect(await sees(member)).toBe(false);
    expect(await sees(viewer)).toBe(false);
    expect(await sees(setting.as(setting.world.people.outsider))).toBe(false);
  });

  it("a restricted tag is in no filter, search or document of those who are not on its list [tag.restricted-hidden] [document.field.tags]", async () => {
    const { guide } = setting.world.documents;
    const total = async (by: ApiClient, path: string): Promise<number> => (await by.get<Page<object>>(path)).body.total;
    expect(await total(admin, "/api/v1/documents?tag=hidden")).toBe(1);
    expect(await total(member, "/api/v1/documents?tag=hidden")).toBe(0);
    expect(await total(member, "/api/v1/documents?tags=hidden,guide")).toBe(0);
    expect(await total(admin, "/api/v1/search?query=guide&tag=hidden")).toBe(1);
    expect(await total(member, "/api/v1/search?query=guide&tag=hidden")).toBe(0);
    expect(await total(member, "/api/v1/search?query=hidden")).toBe(0);
    for (const by of [admin, member]) {
      const { body } = await by.get<One<DocumentView>>(`/api/v1/documents/${guide.id}`);
      expect(body.data.tags).toEqual(["guide"]);
    }
  });

  it("an unrestricted tag of the same name may stand beside a restricted one [decision.tags.restricted-namespace] [tag.restricted-unset]", async () => {
    const made = await member.post<One<Tag>>("/api/v1/tags", { name: "hidden" });
    expect(made.status).toBe(201);
    expect(made.body.data.id).not.toBe(setting.world.tags.hidden);
    expect((await list(member)).filter((tag) => tag.name === "hidden")).toHaveLength(1);
    expect((await list(admin)).filter((tag) => tag.name === "hidden")).toHaveLength(2);
    expect((await admin.post<One<Tag>>("/api/v1/tags", { name: "hidden" })).body.data.id).toBe(made.body.data.id);
  });

  it("documentCount counts what the caller may read, trash and archive excluded [decision.tags.document-count] [tag.field.document-count]", async () => {
    const { collections } = setting.world;
    const make = async (input: object): Promise<string> =>
      (await admin.post<One<DocumentView>>("/api/v1/documents", { tags: ["counted"], publish: true, ...input })).body
        .data.id;
    await make({ collectionId: collections.open });
    await make({ collectionId: collections.vault });
    await make({ collectionId: collections.granted });
    await make({ collectionId: collections.open, publish: false });
    const archived = await make({ collectionId: collections.open });
    const trashed = await make({ collectionId: collections.open });
    await admin.post<object>(`/api/v1/documents/${archived}/archive`);
    await admin.delete<object>(`/api/v1/documents/${trashed}`);
    expect(await count("counted", admin)).toBe(4);
    expect(await count("counted", setting.as(setting.world.people.editor))).toBe(2);
    expect(await count("counted", member)).toBe(3);
    expect(await count("counted", viewer)).toBe(2);
  });

  it("of many who create one tag at once exactly one does [tags.create.reuse]", async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => member.post<One<Tag>>("/api/v1/tags", { name: "raced" })),
    );
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(19);
    expect(new Set(replies.map((reply) => reply.body.data.id)).size).toBe(1);
  });

  it("documents that bring the same new tag at once share it [tag.normalized]", async () => {
    const { open } = setting.world.collections;
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        member.post<One<DocumentView>>("/api/v1/documents", { collectionId: open, tags: ["brought"], publish: true }),
      ),
    );
    expect(replies.every((reply) => reply.status === 201)).toBe(true);
    expect((await list(member)).filter((tag) => tag.name === "brought")).toHaveLength(1);
    expect(await count("brought", member)).toBe(20);
  });
});
