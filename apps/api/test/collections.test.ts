import type { ApiClient, Failure, Many, One, Reply } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Collection = {
  id: string;
  name: string;
  icon: string | null;
  color: string | null;
  description: string | null;
  createdById: string | null;
  archivedAt: string | null;
  sortOrder: number;
  createdAt: string;
  updatedAt: string;
};

describe("collections", () => {
  let setting: Setting;
  let editor: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
  });
  afterAll(() => setting.close());

  const post = (input: object): Promise<Reply<One<Collection>>> => editor.post("/api/v1/collections", input);
  const patch = (id: string, input: object): Promise<Reply<One<Collection>>> =>
    editor.patch(`/api/v1/collections/${id}`, input);
  const list = async (by: ApiClient): Promise<string[]> =>
    (await by.get<Many<Collection>>("/api/v1/collections")).body.data.map((row) => row.name);

  it("POST answers 201 with the collection in all its fields [collections.create] [collection.field.*] [decision.api.success-status]", async () => {
    const { status, body } = await post({ name: "All", icon: "🚀", color: "#00FF7f", description: "What it is." });
    expect(status).toBe(201);
    const { createdAt } = body.data;
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: "All",
        icon: "🚀",
        color: "#00ff7f",
        description: "What it is.",
        teamId: setting.world.teamId,
        createdById: setting.world.people.editor.id,
        archivedAt: null,
        sortOrder: 0,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: createdAt,
      },
    });
  });

  it("a name has 1 to 255 characters, counted in code points [collections.create.name] [limits.collection-name]", async () => {
    expect((await post({ name: "🧪".repeat(255) })).status).toBe(201);
    expect((await post({ name: "x" })).status).toBe(201);
    for (const name of ["", "   ", "🧪".repeat(256), null, 5, undefined]) {
      const { status, body } = await editor.post<Failure>("/api/v1/collections", { name });
      expect({ status, path: body.details?.[0]?.path }, String(name)).toEqual({ status: 400, path: "name" });
    }
  });

  it("icon is one emoji or a name [collections.create.icon] [decision.collections.icon]", async () => {
    for (const icon of ["👩‍🚀", "🇩🇪", "book-open", "a", "9", "a".repeat(64)]) {
      expect((await post({ name: "Icon", icon })).body.data.icon).toBe(icon);
    }
    for (const icon of ["", "Book", "two words", "🚀🚀", "a".repeat(65), "<svg>", 5]) {
      expect((await post({ name: "Icon", icon })).status, String(icon)).toBe(400);
    }
  });

  it("color is #rgb or #rrggbb in any case, stored as lower-case #rrggbb [collections.create.color] [decision.collections.color]", async () => {
    for (const [color, stored] of [
      ["#ABC", "#aabbcc"],
      ["#a1B2c3", "#a1b2c3"],
      ["#000", "#000000"],
    ]) {
      expect((await post({ name: "Color", color })).body.data.color).toBe(stored);
    }
    for (const color of ["", "abc", "#ab", "#abcd", "#abcde", "#abcdefa", "#ggg", "red", " #abc", 5]) {
      expect((await post({ name: "Color", color })).status, String(color)).toBe(400);
    }
  });

  it("a description is text [collections.create.description]", async () => {
    expect((await post({ name: "D", description: "Line\n\tline" })).body.data.description).toBe("Line\n\tline");
    expect((await post({ name: "D", description: "x".repeat(10_001) })).status).toBe(400);
  });

  it("unknown keys are refused by name [decision.api.unknown-body-key]", async () => {
    const { body } = await editor.post("/api/v1/collections", { name: "x", colour: "#abc" });
    expect(body.details).toEqual([{ path: "colour", message: "Unknown field" }]);
    const { open } = setting.world.collections;
    expect((await editor.patch(`/api/v1/collections/${open}`, { sortOrder: 1 })).body.code).toBe("validation_error");
  });

  it("GET answers one [collections.get]", async () => {
    const made = (await post({ name: "One" })).body;
    const { status, body } = await editor.get<One<Collection>>(`/api/v1/collections/${made.data.id}`);
    expect({ status, body }).toEqual({ status: 200, body: made });
  });

  it("an unknown one, and one of another team, are 404 in the same words [collections.get.team-scope] [errors.collection-not-found]", async () => {
    for (const id of [unknownId, setting.world.collections.foreign, setting.world.collections.vault]) {
      const { status, body } = await editor.get(`/api/v1/collections/${id}`);
      expect({ status, body }).toEqual({ status: 404, body: { error: "Collection not found", code: "not_found" } });
    }
  });

  it("GET lists what the caller may read, each once [collections.list] [decision.api.hidden]", async () => {
    const { people } = setting.world;
    const names = async (who: keyof typeof people): Promise<string[]> =>
      (await list(setting.as(people[who]))).filter((name) => ["Open", "Readable", "Vault", "Granted"].includes(name));
    expect((await names("admin")).sort()).toEqual(["Granted", "Open", "Readable", "Vault"]);
    expect((await names("editor")).sort()).toEqual(["Open", "Readable"]);
    expect((await names("member")).sort()).toEqual(["Granted", "Open", "Readable"]);
    expect((await names("viewer")).sort()).toEqual(["Granted", "Open", "Readable"]);
    expect(await list(setting.as(people.outsider))).toEqual(["Foreign"]);
  });

  it("PATCH changes what it names [collections.update]", async () => {
    const made = (await post({ name: "Before", icon: "🚀", color: "#abc", description: "d" })).body.data;
    const { status, body } = await patch(made.id, { name: "After" });
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...made, name: "After", updatedAt: body.data.updatedAt });
    expect(Date.parse(body.data.updatedAt)).toBeGreaterThan(Date.parse(made.updatedAt));
    const all = (await patch(made.id, { icon: "book", color: "#123456", description: "e" })).body.data;
    expect(all).toMatchObject({ name: "After", icon: "book", color: "#123456", description: "e" });
  });

  it("null clears icon, color and description, but not the name [decision.collections.null-clears]", async () => {
    const made = (await post({ name: "Clear", icon: "🚀", color: "#abc", description: "d" })).body.data;
    const cleared = (await patch(made.id, { icon: null, color: null, description: null })).body.data;
    expect(cleared).toMatchObject({ name: "Clear", icon: null, color: null, description: null });
    expect((await patch(made.id, { name: null })).status).toBe(400);
  });

  it("a change that changes nothing leaves no trace [decision.documents.no-op]", async () => {
    const made = (await post({ name: "Same", color: "#abc" })).body.data;
    expect((await patch(made.id, {})).body.data).toEqual(made);
    expect((await patch(made.id, { name: "Same", color: "#AABBCC", icon: null })).body.data).toEqual(made);
  });

  it("a collection that may only be read cannot be changed", async () => {
    const { collections, people } = setting.world;
    const member = setting.as(people.member);
    expect((await member.patch(`/api/v1/collections/${collections.readable}`, { name: "x" })).status).toBe(403);
    const narrow = await setting.world.key(people.editor, ["read", "write"], {
      restrictions: { collections: { [collections.open]: "read" } },
    });
    expect((await setting.as(narrow).patch(`/api/v1/collections/${collections.open}`, { name: "x" })).status).toBe(403);
  });
});
