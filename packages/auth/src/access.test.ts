import { describe, expect, it } from "vitest";
import {
  type CollectionFacts,
  type Decision,
  type DocumentAction,
  type DocumentFacts,
  decideCollection,
  decideCreateCollection,
  decideDocument,
} from "./access.ts";
import { type Actor, carries, holds } from "./actor.ts";
import { builtInGroups, type Capability, capabilities, knownCapabilities } from "./capabilities.ts";

const me = "00000000-0000-7000-8000-000000000001";
const somebody = "00000000-0000-7000-8000-000000000002";

function actor(held: readonly Capability[], changes: Partial<Actor> = {}): Actor {
  return {
    teamId: "00000000-0000-7000-8000-00000000000a",
    userId: me,
    userName: "Me",
    email: "me@example.com",
    systemAdmin: false,
    capabilities: new Set(held),
    groupIds: [],
    scopes: new Set(["read", "write"]),
    credential: { kind: "api_key", id: "key", name: "Key" },
    restrictedKeyId: null,
    ...changes,
  };
}

/** Somebody else's published document where the caller may write. */
const document: DocumentFacts = {
  level: "write",
  keyLevel: null,
  createdById: somebody,
  publishedAt: new Date(0),
  deletedAt: null,
};
const collection: CollectionFacts = { level: "write", keyLevel: null };

const admin = builtInGroups.admins.capabilities;
const editor = builtInGroups.editors.capabilities;
const member = builtInGroups.members.capabilities;
const viewer = builtInGroups.viewers.capabilities;
const without = (held: readonly Capability[], ...names: Capability[]): Capability[] =>
  held.filter((name) => !names.includes(name));

const actions = ["read", "edit", "publish", "delete", "readTrash", "restore"] as const satisfies DocumentAction[];
const letters: Readonly<Record<Decision, string>> = { allow: "+", forbidden: "F", hidden: "-" };

/** One letter for each action: `+` allowed, `F` forbidden, `-` hidden. */
const decisions = (by: Actor, facts: Partial<DocumentFacts>): string =>
  actions.map((action) => letters[decideDocument(by, action, { ...document, ...facts })]).join("");

describe("a document: read, edit, publish, delete, see in the trash, restore", () => {
  it.each<[string, Actor, Partial<DocumentFacts>, string]>([
    ["an editor may do everything with it", actor(editor), {}, "++++--"],
    ["a member edits it, and neither publishes nor deletes what others made", actor(member), {}, "++FF--"],
    ["a member publishes and deletes their own", actor(member), { createdById: me }, "++++--"],
    ["a viewer reads", actor(viewer), {}, "+FFF--"],
    ["a viewer's own is no more than read", actor(viewer), { createdById: me }, "+FFF--"],
    ["who may not read documents sees none", actor(without(editor, "document.read")), {}, "------"],
    ["who may not edit documents publishes and deletes none", actor(without(editor, "document.edit")), {}, "+FFF--"],
    ["publishing is a right of its own", actor(without(editor, "document.publish")), {}, "++F+--"],
    ["deleting is a right of its own", actor(without(editor, "document.delete")), {}, "+++F--"],
    ["a system admin holds everything", actor([], { systemAdmin: true }), {}, "++++--"],
    ["a collection at manage is one at write too", actor(editor), { level: "manage" }, "++++--"],
    ["a collection at read", actor(editor), { level: "read" }, "+FFF--"],
    ["a collection at none", actor(editor), { level: "none" }, "------"],
    ["a collection at none, for a system admin too", actor([], { systemAdmin: true }), { level: "none" }, "------"],
    ["one's own in a collection at none", actor(editor), { level: "none", createdById: me }, "------"],
    ["one's own in a collection at read", actor(editor), { level: "read", createdById: me }, "+FFF--"],
    ["a key at none", actor(editor), { keyLevel: "none" }, "------"],
    ["a key at read", actor(editor), { keyLevel: "read" }, "+FFF--"],
    ["a key at write", actor(editor), { keyLevel: "write" }, "++++--"],
    ["a key at write in a collection at read", actor(editor), { keyLevel: "write", level: "read" }, "+FFF--"],
    ["a key at write in a collection at none", actor(editor), { keyLevel: "write", level: "none" }, "------"],
    ["a draft, for those who may edit it", actor(member), { publishedAt: null }, "++FF--"],
    ["a draft, for those who may not edit", actor(viewer), { publishedAt: null }, "------"],
    ["a draft in a collection at read", actor(editor), { publishedAt: null, level: "read" }, "------"],
    [
      "one's own draft in a collection at read",
      actor(viewer),
      { publishedAt: null, level: "read", createdById: me },
      "+FFF--",
    ],
    ["a draft by a key at read", actor(editor), { publishedAt: null, keyLevel: "read" }, "+FFF--"],
    ["in the trash, for who could restore it", actor(editor), { deletedAt: new Date(0) }, "----++"],
    ["in the trash, for who could not", actor(member), { deletedAt: new Date(0) }, "------"],
    ["one's own in the trash", actor(member), { deletedAt: new Date(0), createdById: me }, "----++"],
    ["in the trash of a collection at read", actor(editor), { deletedAt: new Date(0), level: "read" }, "------"],
    ["in the trash by a key at read", actor(editor), { deletedAt: new Date(0), keyLevel: "read" }, "------"],
    ["without a collection, for who sets them up", actor(editor), { level: null }, "++++--"],
    ["without a collection, for others", actor(without(editor, "collection.edit")), { level: null }, "------"],
    ["one's own without a collection", actor(member), { level: null, createdById: me }, "++++--"],
    ["a draft without a collection", actor(editor), { level: null, publishedAt: null }, "++++--"],
    ["of nobody, without a collection", actor(member), { level: null, createdById: null }, "------"],
  ])(
    "%s",
    { meta: { proves: ["decision.access.groups", "decision.access.members-own"] } },
    (_, by, facts, expected) => {
      expect(decisions(by, facts)).toBe(expected);
    },
  );
});

const collectionActions = ["read", "createDocument", "publishHere", "edit", "manage"] as const;
const ofCollection = (by: Actor, facts: Partial<CollectionFacts>): string =>
  collectionActions.map((action) => letters[decideCollection(by, action, { ...collection, ...facts })]).join("");

describe("a collection: read, create in it, publish in it, edit, manage", () => {
  it.each<[string, Actor, Partial<CollectionFacts>, string]>([
    ["an editor where they write", actor(editor), {}, "++++F"],
    ["an editor where they manage", actor(editor), { level: "manage" }, "+++++"],
    ["an editor where they read", actor(editor), { level: "read" }, "+FFFF"],
    ["an admin where they write", actor(admin), {}, "+++++"],
    ["an admin where they read", actor(admin), { level: "read" }, "+FFFF"],
    ["an admin where there is nothing for them", actor(admin), { level: "none" }, "-----"],
    ["an admin by a key at read", actor(admin), { keyLevel: "read" }, "+FFFF"],
    ["a system admin where they write", actor([], { systemAdmin: true }), {}, "+++++"],
    ["a caller who sets up the team, but no collections", actor(without(admin, "collection.edit")), {}, "+++FF"],
    ["an editor where there is nothing for them", actor(editor), { level: "none" }, "-----"],
    ["a member where they write", actor(member), {}, "+++FF"],
    ["a member where they manage", actor(member), { level: "manage" }, "+++FF"],
    ["a viewer where they manage", actor(viewer), { level: "manage" }, "+FFFF"],
    [
      "a caller who may create, but not edit, publishes nothing",
      actor(["document.read", "document.create"]),
      {},
      "++FFF",
    ],
    ["a caller who may edit, but not create", actor(["document.read", "document.edit"]), {}, "+FFFF"],
    [
      "a caller who may only edit collections",
      actor(["document.read", "collection.edit"]),
      { level: "manage" },
      "+FF++",
    ],
    ["a caller who may not read documents", actor(without(editor, "document.read")), { level: "manage" }, "-----"],
    ["a key at none", actor(editor), { level: "manage", keyLevel: "none" }, "-----"],
    ["a key at read", actor(editor), { level: "manage", keyLevel: "read" }, "+FFFF"],
    ["a key at write", actor(editor), { level: "manage", keyLevel: "write" }, "+++++"],
    ["a key at write where the owner reads", actor(editor), { level: "read", keyLevel: "write" }, "+FFFF"],
  ])("%s", { meta: { proves: ["decision.access.collection"] } }, (_, by, facts, expected) => {
    expect(ofCollection(by, facts)).toBe(expected);
  });

  it("a collection is created only by a caller who has the capability, with an unrestricted key", {
    meta: { proves: ["decision.access.restricted-views"] },
  }, () => {
    expect(decideCreateCollection(actor(editor))).toBe("allow");
    expect(decideCreateCollection(actor(member))).toBe("forbidden");
    expect(decideCreateCollection(actor(editor, { restrictedKeyId: "key" }))).toBe("forbidden");
    expect(decideCreateCollection(actor([], { systemAdmin: true }))).toBe("allow");
  });
});

describe("the capabilities and scopes of a caller", () => {
  it("admin implies read and write; write does not imply read", {
    meta: { proves: ["decision.access.scopes"] },
  }, () => {
    const scoped = (...scopes: ("read" | "write" | "admin")[]): boolean[] =>
      (["read", "write", "admin"] as const).map((scope) => carries(actor([], { scopes: new Set(scopes) }), scope));
    expect(scoped("read")).toEqual([true, false, false]);
    expect(scoped("write")).toEqual([false, true, false]);
    expect(scoped("admin")).toEqual([true, true, true]);
    expect(scoped()).toEqual([false, false, false]);
  });

  it("a system admin has every capability, and other users have those of their groups", () => {
    for (const capability of capabilities) {
      expect(holds(actor([], { systemAdmin: true }), capability)).toBe(true);
      expect(holds(actor([capability]), capability)).toBe(true);
      expect(holds(actor(without(capabilities, capability)), capability)).toBe(false);
    }
  });

  it("each built-in group has the capabilities of its row in the table", {
    meta: { proves: ["decision.access.groups"] },
  }, () => {
    const onlyAdmins = [
      "settings.team_edit",
      "settings.members",
      "settings.groups",
      "developer.mcp",
      "developer.webhooks",
      "publishing.channels",
      "document.destroy",
      "tag.manage",
      "audit.read",
    ];
    const editorsToo = ["collection.create", "collection.edit", "document.publish", "document.delete"];
    const membersToo = ["developer.api_keys", "document.create", "document.edit", "tag.create"];
    const everybody = ["document.read", "export"];
    const groups = Object.entries(builtInGroups).map(([id, { name, capabilities: held }]) => [
      id,
      name,
      [...held].sort(),
    ]);
    expect(groups).toEqual([
      ["admins", "Admins", [...onlyAdmins, ...editorsToo, ...membersToo, ...everybody].sort()],
      ["editors", "Editors", [...editorsToo, ...membersToo, ...everybody].sort()],
      ["members", "Members", [...membersToo, ...everybody].sort()],
      ["viewers", "Viewers", [...everybody].sort()],
    ]);
  });

  it("a capability that this release does not know grants nothing", () => {
    expect(knownCapabilities(["document.read", "document.fly", "export"])).toEqual(["document.read", "export"]);
  });
});
