import type { DocumentView } from "@kb/core";
import type { ApiClient, Failure, Reply } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

/** A request that names an id somewhere. */
type Naming = readonly [method: string, path: (id: string) => string, json?: (id: string) => object];

const document = (id: string): string => `/api/v1/documents/${id}`;
const collection = (id: string): string => `/api/v1/collections/${id}`;

describe("a hidden resource is answered like an absent one", () => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting();
  });
  afterAll(() => setting.close());

  const namingDocuments: Readonly<Record<string, Naming>> = {
    get: ["GET", document],
    "get with all its parts": ["GET", (id) => `${document(id)}?format=markdown&include=content`],
    "get from the trash": ["GET", (id) => `${document(id)}?deleted=true`],
    patch: ["PATCH", document, () => ({ title: "x" })],
    "patch that publishes": ["PATCH", document, () => ({ published: true })],
    "patch with a guard": ["PATCH", document, () => ({ title: "x", expectedRevision: 99 })],
    delete: ["DELETE", document],
    restore: ["POST", (id) => `${document(id)}/restore`],
    archive: ["POST", (id) => `${document(id)}/archive`],
    unarchive: ["POST", (id) => `${document(id)}/unarchive`],
    edit: ["POST", (id) => `${document(id)}/edits`, () => ({ op: "append", markdown: "x" })],
    "dry run": ["POST", (id) => `${document(id)}/edits`, () => ({ op: "append", markdown: "x", dryRun: true })],
    revisions: ["GET", (id) => `${document(id)}/revisions`],
    revision: ["GET", (id) => `${document(id)}/revisions/1`],
    "restore of a revision": ["POST", (id) => `${document(id)}/revisions/1/restore`],
    "parent in a create": [
      "POST",
      () => "/api/v1/documents",
      (parentDocumentId) => ({ collectionId: setting.world.collections.open, parentDocumentId }),
    ],
    "parent in a move": [
      "PATCH",
      () => document(setting.world.documents.memberDraft.id),
      (parentDocumentId) => ({ parentDocumentId }),
    ],
    "parent in a filter": ["GET", (id) => `/api/v1/documents?parentDocumentId=${id}`],
    "parent in a sync": ["GET", (id) => `/api/v1/documents?updatedSince=1970-01-01T00:00:00Z&parentDocumentId=${id}`],
  };

  const namingCollections: Readonly<Record<string, Naming>> = {
    get: ["GET", collection],
    patch: ["PATCH", collection, () => ({ name: "x" })],
    archive: ["POST", (id) => `${collection(id)}/archive`],
    unarchive: ["POST", (id) => `${collection(id)}/unarchive`],
    "collection in a create": ["POST", () => "/api/v1/documents", (collectionId) => ({ collectionId })],
    "collection in a move": [
      "PATCH",
      () => document(setting.world.documents.memberDraft.id),
      (collectionId) => ({ collectionId }),
    ],
    "collection in a filter": ["GET", (id) => `/api/v1/documents?collectionId=${id}`],
    "collection in a search": ["GET", (id) => `/api/v1/search?query=the&collectionId=${id}`],
  };

  /** Status, bytes and telling headers of an answer. */
  async function shown(by: ApiClient, naming: Naming, id: string): Promise<string> {
    const [method, path, json] = naming;
    const reply: Reply<Failure> = await by.send(method, path(id), json === undefined ? {} : { json: json(id) });
    const headers = [...reply.headers.keys()].filter((name) => !name.startsWith("x-ratelimit")).sort();
    return JSON.stringify({ status: reply.status, headers, body: withoutCursor(reply.body) });
  }

  /** A sync's cursor tells its time. */
  const withoutCursor = (body: object): object => ({ ...body, nextCursor: undefined });

  type Hidden = readonly [what: string, by: () => Promise<ApiClient>, id: () => string];
  const person = (who: "editor" | "member" | "viewer") => async () => setting.as(setting.world.people[who]);
  const restricted = async (): Promise<ApiClient> => {
    const { world } = setting;
    const { open } = world.collections;
    const restrictions = {
      collections: { [open]: "write" },
      documents: { [world.documents.child.id]: "none" },
    } as const;
    return setting.as(await world.key(world.people.editor, ["read", "write"], { restrictions }));
  };
  const of = (name: keyof Setting["world"]["documents"]) => () => setting.world.documents[name].id;

  const hiddenDocuments: readonly Hidden[] = [
    ["another team's document", person("member"), of("foreign")],
    ["a document of a private collection", person("member"), of("secret")],
    ["a document of a collection that others were granted", person("editor"), of("granted")],
    ["a draft of somebody else", person("viewer"), of("memberDraft")],
    ["a draft in a collection that may only be read", person("member"), of("adminDraft")],
    ["a document in the trash that they may not restore", person("viewer"), of("trashed")],
    ["a document outside of a restricted key", restricted, of("adminDraft")],
    ["a document that a restricted key was denied", restricted, of("child")],
  ];

  it.each(hiddenDocuments)(
    "%s, in every route that takes its id",
    { meta: { proves: ["decision.api.hidden", "decision.api.uuid-unknown"] } },
    async (_, by, id) => {
      const caller = await by();
      for (const [name, naming] of Object.entries(namingDocuments)) {
        expect(await shown(caller, naming, id()), name).toBe(await shown(caller, naming, unknownId));
      }
    },
  );

  const hiddenCollections: readonly Hidden[] = [
    ["another team's collection", person("editor"), () => setting.world.collections.foreign],
    ["a private collection", person("editor"), () => setting.world.collections.vault],
    ["a collection that others were granted", person("editor"), () => setting.world.collections.granted],
    ["a collection outside of a restricted key", restricted, () => setting.world.collections.readable],
  ];

  it.each(hiddenCollections)(
    "%s, in every route that takes its id",
    { meta: { proves: ["decision.api.hidden", "auth.restricted.hidden"] } },
    async (_, by, id) => {
      const caller = await by();
      for (const [name, naming] of Object.entries(namingCollections)) {
        expect(await shown(caller, naming, id()), name).toBe(await shown(caller, naming, unknownId));
      }
    },
  );

  it("a hidden parent is omitted wherever its child is shown", {
    meta: { proves: ["decision.api.hidden"] },
  }, async () => {
    const { people, collections } = setting.world;
    const editor = setting.as(people.editor);
    const viewer = setting.as(people.viewer);
    const place = { collectionId: collections.open };
    const parent = await editor.post<{ data: DocumentView }>("/api/v1/documents", { ...place, title: "A draft" });
    const child = await editor.post<{ data: DocumentView }>("/api/v1/documents", {
      ...place,
      parentDocumentId: parent.body.data.id,
      title: "Zirconium",
      publish: true,
    });
    expect(child.body.data.parentDocumentId).toBe(parent.body.data.id);
    const shownTo = async (by: ApiClient): Promise<(string | null | undefined)[]> => {
      const one = await by.get<{ data: DocumentView }>(document(child.body.data.id));
      const list = await by.get<{ data: DocumentView[] }>("/api/v1/documents?title=Zirconium");
      const sync = await by.get<{ data: DocumentView[] }>(
        "/api/v1/documents?updatedSince=2020-01-01T00:00:00Z&title=Zirconium",
      );
      const found = await by.get<{ data: { document: DocumentView }[] }>("/api/v1/search?query=zirconium");
      const views = [one.body.data, list.body.data[0], sync.body.data[0], found.body.data[0]?.document];
      return views.map((view) => view?.parentDocumentId);
    };
    expect(await shownTo(viewer)).toEqual([null, null, null, null]);
    expect(await shownTo(editor)).toEqual(Array.from({ length: 4 }, () => parent.body.data.id));
  });

  it("the responses follow the contract: 404 by id and in a body, an empty list in a filter", {
    meta: { proves: ["decision.api.uuid-unknown"] },
  }, async () => {
    const member = await person("member")();
    const { secret } = setting.world.documents;
    for (const [name, [method, path, json]] of Object.entries(namingDocuments)) {
      const reply = await member.send<Failure & { data: DocumentView[] }>(method, path(secret.id), {
        ...(json === undefined ? {} : { json: json(secret.id) }),
      });
      if (name.startsWith("parent in a filter") || name === "parent in a sync") {
        expect(reply, name).toMatchObject({ status: 200, body: { data: [] } });
      } else {
        expect(reply, name).toMatchObject({ status: 404, body: { error: "Document not found", code: "not_found" } });
      }
    }
  });

  it("a filter by a hidden parent is empty, even if a child of it is readable", {
    meta: { proves: ["decision.api.uuid-unknown"] },
  }, async () => {
    const { world } = setting;
    const admin = setting.as(world.people.admin);
    const make = async (input: object): Promise<string> =>
      (
        await admin.post<{ data: DocumentView }>("/api/v1/documents", {
          collectionId: world.collections.open,
          ...input,
        })
      ).body.data.id;
    const draft = await make({});
    const child = await make({ publish: true, parentDocumentId: draft });
    const children = async (by: ApiClient, more = ""): Promise<string[]> =>
      (await by.get<{ data: DocumentView[] }>(`/api/v1/documents?parentDocumentId=${draft}${more}`)).body.data.map(
        (row) => row.id,
      );
    const viewer = await person("viewer")();
    expect((await viewer.get<object>(document(child))).status).toBe(200);
    expect(await children(admin)).toEqual([child]);
    for (const more of ["", "&updatedSince=1970-01-01T00:00:00Z", "&deleted=true"]) {
      expect(await children(viewer, more)).toEqual([]);
    }
  });

  it("a filter by a hidden collection is empty, even if a key may read one document in it", {
    meta: { proves: ["decision.api.uuid-unknown", "auth.restricted.hidden"] },
  }, async () => {
    const { world } = setting;
    const { guide } = world.documents;
    const restrictions = { documents: { [guide.id]: "read" } } as const;
    const by = setting.as(await world.key(world.people.editor, ["read"], { restrictions }));
    expect((await by.get<object>(document(guide.id))).status).toBe(200);
    expect((await by.get(collection(world.collections.open))).status).toBe(404);
    for (const path of ["documents?", "documents?updatedSince=1970-01-01T00:00:00Z&", "search?query=guide&"]) {
      const { body } = await by.get<{ data: object[] }>(`/api/v1/${path}collectionId=${world.collections.open}`);
      expect(body.data, path).toEqual([]);
    }
  });

  it("the requests change nothing in it", async () => {
    const { world } = setting;
    const admin = setting.as(world.people.admin);
    const { body } = await admin.get<{ data: DocumentView }>(document(world.documents.secret.id));
    expect(body.data).toEqual(world.documents.secret);
  });
});
