import type { DocumentView } from "@kb/core";
import { newId } from "@kb/db";
import { connectApp, type One } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppCall, groupIds, inApp, newPerson } from "./in-app.ts";
import { openSetting, type Setting } from "./setting.ts";

/**
 * Statements of one request, as in `budgets.test.ts`, those that find the log-in and the transaction's own left out. A list
 * takes at most 4, and no more for many rows than for few; a change at most 12, and no more for what is large than for what
 * is small.
 */
describe("statements of what is done in the app", () => {
  const statements: string[] = [];
  let setting: Setting;
  let admin: AppCall;
  let groups: Record<string, string>;
  beforeAll(async () => {
    setting = await openSetting({ connect: { onQuery: (text) => statements.push(text.trim()) } });
    admin = await inApp(setting, setting.world.people.admin);
    groups = await groupIds(setting);
  });
  afterAll(() => setting.close());

  const counted = (text: string): boolean =>
    !/^(BEGIN|COMMIT|ROLLBACK|SET TRANSACTION)/i.test(text) && !/FROM browser_sessions s/.test(text);
  async function count(name: string, input: object = {}): Promise<string[]> {
    statements.length = 0;
    const { status, body } = await admin<object>(name, input);
    expect(status, `${name} ${JSON.stringify(body)}`).toBeLessThan(300);
    return statements.filter(counted).map((text) => text.replaceAll(/\s+/g, " ").slice(0, 110));
  }
  const many = <T>(make: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 30 }, make));
  const data = async <T>(name: string, input: object): Promise<T> => (await admin<One<T>>(name, input)).body.data;
  type Made = { id: string };
  const collection = async (): Promise<string> => {
    const client = setting.as(setting.world.people.admin);
    return (await client.post<One<Made>>("/api/v1/collections", { name: newId() })).body.data.id;
  };

  it("a list takes at most 4, the same for few rows and for many", async () => {
    const { open } = setting.world.collections;
    const invite = async () =>
      (await data<{ user: Made }>("users.invite", { email: `${newId()}@example.org`, password: null })).user.id;
    const channel = (await data<Made>("channels.create", { name: "c", collectionIds: [open] })).id;
    const document = setting.world.documents.guide.id;
    const lists: [string, object][] = [
      ["users.list", { limit: 100 }],
      ["users.list", { limit: 100, query: "example", groupId: groups.members, suspended: false }],
      ["groups.list", { limit: 100 }],
      ["team.info", {}],
      ["collections.grants.list", { id: open, limit: 100 }],
      ["collections.grants.candidates", { id: open, limit: 100 }],
      ["apiKeys.list", { limit: 100 }],
      ["oauth.apps.list", { limit: 100 }],
      ["channels.list", { limit: 100 }],
      ["channelTokens.list", { channelId: channel, limit: 100 }],
      ["tags.listRestricted", { limit: 100 }],
      ["documents.restrictedTags.list", { id: document }],
    ];
    const taken: number[] = [];
    for (const [name, input] of lists) {
      const few = await count(name, input);
      expect(few.length, `${name}\n${few.join("\n")}`).toBeLessThanOrEqual(4);
      taken.push(few.length);
    }
    await many(() => data("groups.create", { name: newId(), capabilities: [] }));
    await many(() => data("apiKeys.create", { name: "k", scopes: ["read"] }));
    await setting.database.client.team.update({ where: { id: setting.world.teamId }, data: { mcpEnabled: true } });
    await many(() => connectApp(setting.world, setting.world.people.editor));
    await many(() => data("channels.create", { name: "c", collectionIds: [open] }));
    await many(() => data("channelTokens.create", { channelId: channel, name: "t" }));
    await many(() => data("tags.restrict", { name: newId(), groupIds: [groups.admins] }));
    await many(async () => data("collections.grants.set", { id: open, userId: await invite(), level: "read" }));
    for (const [index, [name, input]] of lists.entries()) {
      const more = await count(name, input);
      expect(more.length, `${name}\n${more.join("\n")}`).toBe(taken[index]);
    }
  });

  it("a change takes at most 12", async () => {
    const { open } = setting.world.collections;
    const person = await newPerson(setting, "Members");
    const group = (await data<Made>("groups.create", { name: newId(), capabilities: ["document.read"] })).id;
    const key = (await data<Made>("apiKeys.create", { name: "k", scopes: ["read"] })).id;
    const channel = (await data<Made>("channels.create", { name: "c", collectionIds: [open] })).id;
    await data("team.update", { mcpEnabled: true });
    const app = await connectApp(setting.world, setting.world.people.editor);
    const restrictions = { collections: { [open]: "read" }, documents: { [setting.world.documents.guide.id]: "none" } };
    const changes: [string, object][] = [
      ["users.invite", { email: `${newId()}@example.org`, password: null }],
      ["users.update", { id: person.id, name: "Renamed", groupIds: [groups.editors] }],
      ["users.suspend", { id: person.id }],
      ["users.unsuspend", { id: person.id }],
      ["groups.update", { id: group, capabilities: [] }],
      ["groups.delete", { id: group }],
      ["team.update", { name: "Counted", mcpEnabled: true }],
      ["collections.grants.set", { id: open, userId: person.id, level: "read" }],
      ["collections.grants.remove", { id: open, userId: person.id }],
      ["collections.setDefaultAccess", { id: open, defaultAccess: "read" }],
      ["apiKeys.create", { name: "k", scopes: ["read"], restrictions }],
      ["apiKeys.update", { id: key, restrictions }],
      ["apiKeys.revoke", { id: key }],
      ["oauth.apps.revoke", { id: app.grantId }],
      ["channels.create", { name: "c", collectionIds: [open] }],
      ["channels.update", { id: channel, name: "d" }],
      ["channelTokens.create", { channelId: channel, name: "t" }],
      ["channels.delete", { id: channel }],
      ["tags.restrict", { name: newId(), groupIds: [groups.admins] }],
      ["tags.update", { id: setting.world.tags.guide, color: "#123456" }],
    ];
    for (const [name, input] of changes) {
      const taken = await count(name, input);
      expect(taken.length, `${name}\n${taken.join("\n")}`).toBeLessThanOrEqual(12);
    }
  });

  it("what takes forty documents along takes as many as what takes one", async () => {
    const client = setting.as(setting.world.people.admin);
    const write = async (collectionId: string, tags: string[]): Promise<string> => {
      const json = { collectionId, tags, publish: true };
      return (await client.post<One<DocumentView>>("/api/v1/documents", json)).body.data.id;
    };
    const steps = async (size: number): Promise<Record<string, number>> => {
      const [collectionId, name] = [await collection(), newId()];
      await write(collectionId, [name]);
      for (let made = 1; made < size; made += 1) await write(collectionId, [name]);
      const { tag } = {
        tag: await setting.database.client.tag.findFirst({ where: { teamId: setting.world.teamId, name } }),
      };
      const taken: Record<string, number> = {};
      for (const [step, input] of [
        ["tags.update", { id: tag?.id, name: newId() }],
        ["tags.delete", { id: tag?.id }],
        ["collections.delete", { id: collectionId }],
        ["trash.empty", {}],
      ] as const) {
        const texts = await count(step, input);
        expect(texts.length, `${step}\n${texts.join("\n")}`).toBeLessThanOrEqual(18);
        taken[step] = texts.length;
      }
      return taken;
    };
    await admin("trash.empty");
    expect(await steps(40)).toEqual(await steps(1));
  });
});
