import type { ApiClient, Failure, Many, One } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Collection = { id: string; name: string; color: string | null; createdAt: string; updatedAt: string };

describe("collections over HTTP", () => {
  let setting: Setting;
  let editor: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
  });
  afterAll(() => setting.close());

  it("POST answers 201 with the collection in all its fields, and GET the same with 200", {
    meta: {
      proves: ["collections.create", "collections.get", "collection.field.*", "decision.api.success-status"],
    },
  }, async () => {
    const json = { name: "All", icon: "🚀", color: "#00FF7f", description: "What it is." };
    const { status, body } = await editor.post<One<Collection>>("/api/v1/collections", json);
    expect({ status, body }).toEqual({
      status: 201,
      body: {
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
          updatedAt: body.data.createdAt,
        },
      },
    });
    const read = await editor.get<One<Collection>>(`/api/v1/collections/${body.data.id}`);
    expect({ status: read.status, body: read.body }).toEqual({ status: 200, body });
  });

  it("GET lists the collections that the caller may read", { meta: { proves: ["collections.list"] } }, async () => {
    const outsider = setting.as(setting.world.people.outsider);
    const { status, body } = await outsider.get<Many<Collection>>("/api/v1/collections");
    expect({ status, names: body.data.map((row) => row.name) }).toEqual({ status: 200, names: ["Foreign"] });
  });

  it("a wrong field is 400 with its path, and an unknown key is named", {
    meta: { proves: ["decision.api.unknown-body-key", "collections.create.name"] },
  }, async () => {
    for (const [json, path] of [
      [{}, "name"],
      [{ name: "" }, "name"],
      [{ name: "x", color: "red" }, "color"],
      [{ name: "x", icon: "two words" }, "icon"],
      [{ name: "x", colour: "#abc" }, "colour"],
    ] as const) {
      const { status, body } = await editor.post<Failure>("/api/v1/collections", json);
      expect({ status, path: body.details?.[0]?.path }, JSON.stringify(json)).toEqual({ status: 400, path });
    }
  });

  it("an unknown collection and one of another team return the same 404", {
    meta: { proves: ["collections.get.team-scope", "errors.collection-not-found"] },
  }, async () => {
    for (const id of [unknownId, setting.world.collections.foreign, setting.world.collections.vault]) {
      const { status, body } = await editor.get(`/api/v1/collections/${id}`);
      expect({ status, body }).toEqual({ status: 404, body: { error: "Collection not found", code: "not_found" } });
    }
  });

  it("PATCH answers 200 with the collection, 400 for a null name and 403 for a reader", {
    meta: { proves: ["collections.update", "decision.collections.null-clears"] },
  }, async () => {
    const json = { name: "Before", color: "#abc" };
    const made = (await editor.post<One<Collection>>("/api/v1/collections", json)).body.data;
    const path = `/api/v1/collections/${made.id}`;
    const { status, body } = await editor.patch<One<Collection>>(path, { name: "After", color: null });
    expect({ status, body }).toEqual({
      status: 200,
      body: { data: { ...made, name: "After", color: null, updatedAt: expect.any(String) } },
    });
    expect((await editor.patch(path, { name: null })).status).toBe(400);
    expect((await editor.patch(path, { sortOrder: 1 })).status).toBe(400);
    const member = setting.as(setting.world.people.member);
    const { readable } = setting.world.collections;
    expect((await member.patch(`/api/v1/collections/${readable}`, { name: "x" })).status).toBe(403);
  });
});
