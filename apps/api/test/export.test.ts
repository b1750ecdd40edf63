import type { DocumentView } from "@kb/core";
import type { Failure, One } from "@kb/http/testing";
import JSZip from "jszip";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

// The files of an export are proved in packages/core/src/export: here are the archive, headers and statuses.

describe("GET /api/v1/collections.export", () => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting();
  });
  afterAll(() => setting.close());

  const ask = (key: string, query: string, method = "GET") =>
    setting.app.request(`http://localhost:3000/api/v1/collections.export?${query}`, {
      method,
      headers: { Authorization: `Bearer ${key}` },
    });
  const archive = async (query: string): Promise<JSZip> => {
    const response = await ask(setting.world.people.admin.key, query);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("application/zip");
    return JSZip.loadAsync(await response.arrayBuffer());
  };
  const collection = async (name: string): Promise<string> => {
    const admin = setting.as(setting.world.people.admin);
    return (await admin.post<One<{ id: string }>>("/api/v1/collections", { name })).body.data.id;
  };
  const make = async (collectionId: string, input: object): Promise<DocumentView> => {
    const admin = setting.as(setting.world.people.admin);
    const json = { collectionId, publish: true, ...input };
    return (await admin.post<One<DocumentView>>("/api/v1/documents", json)).body.data;
  };

  it("returns 200 with a ZIP archive of the files, with their times", {
    meta: { proves: ["collections.export", "collections.export.format"] },
  }, async () => {
    const id = await collection("Handbook");
    const parent = await make(id, { title: "Guide: “all”", text: "# One\n\nText." });
    const child = await make(id, { title: "Child", parentDocumentId: parent.id, text: "Below." });
    const zip = await archive(`id=${id}`);
    expect(Object.keys(zip.files)).toEqual(["Guide- “all”.md", "Guide- “all”/Child.md", "manifest.json"]);
    const entry = zip.file("Guide- “all”/Child.md");
    expect(await entry?.async("text")).toBe("---\ntitle: Child\n---\n\nBelow.\n");
    expect(Math.abs((entry?.date.getTime() ?? 0) - Date.parse(child.updatedAt))).toBeLessThan(2_001);
    const bare = await archive(`id=${id}&format=zip&frontMatter=false`);
    expect(await bare.file("Guide- “all”/Child.md")?.async("text")).toBe("Below.\n");
    const html = await archive(`id=${id}&format=html`);
    expect(Object.keys(html.files)).toEqual([
      "index.html",
      "Guide- “all”.html",
      "Guide- “all”/Child.html",
      "manifest.json",
    ]);
  });

  it("without scope or capability is 403, without access 404", {
    meta: {
      proves: ["auth.export.checks", "auth.scope.read-export", "errors.scope.export", "errors.export-permission"],
    },
  }, async () => {
    const { world, database } = setting;
    const { people, collections } = world;
    const refusal = async (key: string, id: string): Promise<object> => {
      const { status, body } = await setting.as(key).get<Failure>(`/api/v1/collections.export?id=${id}`);
      return { status, code: body.code };
    };
    const hidden = { status: 404, code: "not_found" };
    expect((await ask(await world.key(people.editor, ["read"]), `id=${collections.open}`)).status).toBe(200);
    expect(await refusal(await world.key(people.editor, ["write"]), collections.open)).toEqual({
      status: 403,
      code: "insufficient_scope",
    });
    const restrictions = { collections: { [collections.readable]: "read" } } as const;
    const restricted = await world.key(people.editor, ["read"], { restrictions });
    expect(await refusal(restricted, collections.open)).toEqual(hidden);
    expect(await refusal(people.editor.key, collections.vault)).toEqual(hidden);
    expect(await refusal(people.editor.key, unknownId)).toEqual(hidden);
    const viewers = { where: { teamId: world.teamId, builtIn: "viewers" } } as const;
    const { client } = database;
    await client.group.updateMany({ ...viewers, data: { capabilities: ["document.read"] } });
    expect(await refusal(people.viewer.key, collections.open)).toEqual({ status: 403, code: "forbidden" });
    await client.group.updateMany({ ...viewers, data: { capabilities: ["document.read", "export"] } });
  });

  it("a wrong parameter is 400, and HEAD builds no archive", async () => {
    const { open } = setting.world.collections;
    const editor = setting.as(setting.world.people.editor);
    for (const query of ["", "id=x", `id=${open}&format=pdf`, `id=${open}&frontMatter=maybe`, `id=${open}&depth=1`]) {
      expect((await editor.get(`/api/v1/collections.export?${query}`)).status, query).toBe(400);
    }
    const head = await ask(setting.world.people.admin.key, `id=${open}`, "HEAD");
    expect([head.status, head.headers.get("Content-Type"), await head.text()]).toEqual([200, "application/zip", ""]);
    expect(head.headers.get("Content-Disposition")).toBe(`attachment; filename="Open.zip"; filename*=UTF-8''Open.zip`);
  });

  it("a hostile name of the collection does not leave the folder of downloads", {
    meta: { proves: ["decision.export.names"] },
  }, async () => {
    const id = await collection("../../Hostile");
    const { headers } = await ask(setting.world.people.admin.key, `id=${id}`, "HEAD");
    expect(headers.get("Content-Disposition")).toBe(
      `attachment; filename="-..-Hostile.zip"; filename*=UTF-8''-..-Hostile.zip`,
    );
  });
});
