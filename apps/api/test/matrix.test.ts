import type { DocumentView } from "@kb/core";
import { type ApiClient, type One, type Route, routesOf } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

/** Every kind of caller, seen from an open collection of the admin's team. */
const callers = [
  ...["nobody", "badKey", "admin", "editor", "member", "viewer", "outsider"],
  ...["readKey", "writeKey", "adminKey", "restrictedToRead", "restrictedToWrite", "restrictedAway"],
] as const;
type Caller = (typeof callers)[number];

const refusedToAll = { nobody: 401, badKey: 401 } as const;
/** Whose key lacks the scope is refused before anything is looked at. */
const needsRead = { ...refusedToAll, writeKey: 403 } as const;
const needsWrite = { ...refusedToAll, readKey: 403 } as const;

type Expected = Partial<Record<Caller, number>>;

/** The statuses other than a success. The subject is published by the admin in a collection that all may write in. */
const matrix: Readonly<Record<string, Expected>> = {
  "me.get": needsRead,
  "documents.list": needsRead,
  "documents.search": needsRead,
  "collections.list": needsRead,
  "tags.list": needsRead,
  "documents.get": { ...needsRead, outsider: 404, restrictedAway: 404 },
  "documents.revisions.list": { ...needsRead, outsider: 404, restrictedAway: 404 },
  "documents.revisions.get": { ...needsRead, outsider: 404, restrictedAway: 404 },
  "collections.get": { ...needsRead, outsider: 404, restrictedAway: 404 },
  "documents.create": { ...needsWrite, viewer: 403, outsider: 404, restrictedToRead: 403, restrictedAway: 404 },
  "documents.update": { ...needsWrite, viewer: 403, outsider: 404, restrictedToRead: 403, restrictedAway: 404 },
  "documents.edit": { ...needsWrite, viewer: 403, outsider: 404, restrictedToRead: 403, restrictedAway: 404 },
  "documents.revisions.restore": {
    ...{ ...needsWrite, viewer: 403, outsider: 404, restrictedToRead: 403, restrictedAway: 404 },
  },
  // A member deletes, archives and restores their own alone.
  "documents.delete": {
    ...needsWrite,
    viewer: 403,
    member: 403,
    outsider: 404,
    restrictedToRead: 403,
    restrictedAway: 404,
  },
  "documents.archive": {
    ...needsWrite,
    viewer: 403,
    member: 403,
    outsider: 404,
    restrictedToRead: 403,
    restrictedAway: 404,
  },
  "documents.unarchive": {
    ...needsWrite,
    viewer: 403,
    member: 403,
    outsider: 404,
    restrictedToRead: 403,
    restrictedAway: 404,
  },
  // What they may not restore is not in any trash of theirs.
  "documents.restore": {
    ...needsWrite,
    viewer: 403,
    member: 404,
    outsider: 404,
    restrictedToRead: 404,
    restrictedAway: 404,
  },
  "collections.create": {
    ...needsWrite,
    viewer: 403,
    member: 403,
    restrictedToRead: 403,
    restrictedToWrite: 403,
    restrictedAway: 403,
  },
  "collections.update": {
    ...needsWrite,
    viewer: 403,
    member: 403,
    outsider: 404,
    restrictedToRead: 403,
    restrictedAway: 404,
  },
  "collections.archive": {
    ...needsWrite,
    viewer: 403,
    member: 403,
    outsider: 404,
    restrictedToRead: 403,
    restrictedAway: 404,
  },
  "collections.unarchive": {
    ...needsWrite,
    viewer: 403,
    member: 403,
    outsider: 404,
    restrictedToRead: 403,
    restrictedAway: 404,
  },
  "tags.create": { ...needsWrite, viewer: 403 },
};

/** Bodies and queries with which the request is right in all but its caller. */
const inputs: Readonly<Record<string, (place: string) => object>> = {
  "documents.create": (collectionId) => ({ collectionId, title: "By the matrix" }),
  "documents.update": () => ({ title: "By the matrix" }),
  "documents.edit": () => ({ op: "append", markdown: "By the matrix" }),
  "collections.create": () => ({ name: "By the matrix" }),
  "collections.update": () => ({ description: "By the matrix" }),
  "tags.create": () => ({ name: "by the matrix" }),
};

describe("every route for every kind of caller", () => {
  let setting: Setting;
  let clients: Record<Caller, ApiClient>;
  let routes: Route[];
  let place: string;
  beforeAll(async () => {
    setting = await openSetting();
    const { world } = setting;
    const { people } = world;
    const admin = setting.as(people.admin);
    place = (await admin.post<One<{ id: string }>>("/api/v1/collections", { name: "Subject" })).body.data.id;
    const restricted = (collections: Record<string, "read" | "write">) =>
      world.key(people.editor, ["read", "write"], { restrictions: { collections } });
    clients = {
      nobody: setting.as(null),
      badKey: setting.as(`${people.admin.key.slice(0, -1)}!`),
      ...{ admin, editor: setting.as(people.editor), member: setting.as(people.member) },
      ...{ viewer: setting.as(people.viewer), outsider: setting.as(people.outsider) },
      readKey: setting.as(await world.key(people.editor, ["read"])),
      writeKey: setting.as(await world.key(people.editor, ["write"])),
      adminKey: setting.as(await world.key(people.editor, ["admin"])),
      restrictedToRead: setting.as(await restricted({ [place]: "read" })),
      restrictedToWrite: setting.as(await restricted({ [place]: "write" })),
      restrictedAway: setting.as(await restricted({ [world.collections.open]: "write" })),
    };
    const description = await (await setting.app.request("/openapi.json")).json();
    routes = routesOf(description).filter((route) => route.operation.operationId !== "health.get");
  });
  afterAll(() => setting.close());

  /** A document to act on, in the state that the operation needs. */
  async function subject(name: string): Promise<string> {
    const { admin } = clients;
    const collection = `/api/v1/collections/${place}`;
    await admin.post<object>(`${collection}/unarchive`);
    const json = { collectionId: place, publish: true, title: "Subject", text: "first" };
    const { id } = (await admin.post<One<DocumentView>>("/api/v1/documents", json)).body.data;
    const path = `/api/v1/documents/${id}`;
    if (name === "documents.restore") await admin.delete<object>(path);
    if (name === "documents.unarchive") await admin.post<object>(`${path}/archive`);
    if (name === "collections.unarchive") await admin.post<object>(`${collection}/archive`);
    return id;
  }

  async function statusFor(route: Route, name: string, caller: Caller): Promise<number> {
    const id = await subject(name);
    const path = route.template
      .replace("{revision}", "1")
      .replace("{id}", route.template.includes("/collections/") ? place : id);
    const query = name === "documents.search" ? "?query=subject" : "";
    const json = inputs[name]?.(place);
    const { status } = await clients[caller].send<object>(
      route.method,
      `${path}${query}`,
      json === undefined ? {} : { json },
    );
    return status;
  }

  it("answers what the policy says; a route without a row fails [decision.access.groups] [decision.access.scopes] [auth.scope.read] [auth.scope.write]", async () => {
    expect(routes.map((route) => String(route.operation.operationId)).sort()).toEqual(Object.keys(matrix).sort());
    for (const route of routes) {
      const name = String(route.operation.operationId);
      for (const caller of callers) {
        const expected = matrix[name]?.[caller];
        const status = await statusFor(route, name, caller);
        if (expected === undefined) expect(status, `${name} by ${caller}`).toBeOneOf([200, 201]);
        else expect(status, `${name} by ${caller}`).toBe(expected);
      }
    }
  }, 120_000);
});
