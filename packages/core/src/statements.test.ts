import {
  abbreviated,
  addPerson,
  authenticateCredential,
  budgetOf,
  callerOf,
  connectApp,
  createWorld,
  groupIdsOf,
  operationNamed,
  statementLog,
  type TestCaller,
  type World,
} from "@kb/core/testing";
import { newId } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { invoke } from "./invoke.ts";
import * as operations from "./operations.ts";

const log = statementLog();
let test: TestDatabase;
let world: World;
let admin: TestCaller;
let groups: Record<string, string>;
let caller: NonNullable<Awaited<ReturnType<typeof authenticateCredential>>>;
beforeAll(async () => {
  test = await testDatabase({ onQuery: log.onQuery });
  world = await createWorld(test.database);
  const session = await world.session(world.people.admin);
  const found = await authenticateCredential(world.service, session);
  if (found === null) throw new Error("the session is not valid");
  caller = found;
  admin = callerOf(world, session);
  groups = await groupIdsOf(world);
  await admin.run(operations.updateTeam, { mcpEnabled: true });
});
afterAll(() => test.drop());

/** Runs an operation in the app. Returns its statements, of which there are at most as many as its case allows. */
async function run(name: string, input: object): Promise<string[]> {
  const statements = await log.during(() => invoke(world.service, operationNamed(name), caller, input));
  const message = `${name} ${JSON.stringify(input)}\n${abbreviated(statements)}`;
  expect(statements.length, message).toBeLessThanOrEqual(budgetOf(name));
  return statements;
}

const thirtyTimes = (create: () => Promise<unknown>) => Promise.all(Array.from({ length: 30 }, create));
const createChannel = () => admin.run(operations.createChannel, { name: "c", collectionIds: [world.collections.open] });
const createKey = () => admin.run(operations.createApiKey, { name: "k", scopes: ["read"] });

it("a list of settings runs as many statements for many rows as for few", async () => {
  const { open } = world.collections;
  const { id: channelId } = await createChannel();
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
    ["channelTokens.list", { channelId, limit: 100 }],
    ["tags.listRestricted", { limit: 100 }],
    ["documents.restrictedTags.list", { id: world.documents.guide.id }],
  ];
  const few: number[] = [];
  for (const [name, input] of lists) few.push((await run(name, input)).length);
  await thirtyTimes(() => admin.run(operations.createGroup, { name: newId(), capabilities: [] }));
  await thirtyTimes(createKey);
  await thirtyTimes(() => connectApp(world, world.people.editor));
  await thirtyTimes(createChannel);
  await thirtyTimes(() => admin.run(operations.createChannelToken, { channelId, name: "t" }));
  await thirtyTimes(() => admin.run(operations.restrictTag, { name: newId(), groupIds: [groups.admins] }));
  await thirtyTimes(async () => world.grant(open, (await addPerson(world, "Members")).id, "read"));
  for (const [index, [name, input]] of lists.entries()) {
    const many = await run(name, input);
    expect(many.length, `${name}\n${abbreviated(many)}`).toBe(few[index]);
  }
});

it("a change of settings stays within its budget, whatever it changes", async () => {
  const { open } = world.collections;
  const person = await addPerson(world, "Members");
  const restrictions = { collections: { [open]: "read" }, documents: { [world.documents.guide.id]: "none" } };
  const changes: [string, object][] = [
    ["users.invite", { email: `${newId()}@example.org`, password: null }],
    ["users.update", { id: person.id, name: "Renamed", groupIds: [groups.editors] }],
    ["team.update", { name: "Counted", mcpEnabled: true }],
    ["collections.grants.set", { id: open, userId: person.id, level: "read" }],
    ["collections.grants.remove", { id: open, userId: person.id }],
    ["apiKeys.create", { name: "k", scopes: ["read"], restrictions }],
    ["apiKeys.update", { id: (await createKey()).id, restrictions }],
    ["channels.update", { id: (await createChannel()).id, name: "d" }],
    ["tags.restrict", { name: newId(), groupIds: [groups.admins] }],
    ["tags.update", { id: world.tags.guide, color: "#123456" }],
  ];
  for (const [name, input] of changes) await run(name, input);
});

it("a change of 40 documents runs as many statements as a change of 1", async () => {
  const countSteps = async (size: number): Promise<number[]> => {
    const { id: collectionId } = await admin.createCollection({ name: newId() });
    // Without a word of letters: one that the vocabulary does not have takes a statement.
    const name = `t${size}`;
    const documents = Array.from({ length: size }, () => ({ collectionId, tags: [name], publish: true }));
    for (const document of documents) await admin.create(document);
    const tag = await test.database.client.tag.findFirstOrThrow({ where: { teamId: world.teamId, name } });
    const steps: [string, object][] = [
      ["tags.update", { id: tag.id, name: `u${size}` }],
      ["tags.delete", { id: tag.id }],
      ["collections.delete", { id: collectionId }],
      ["trash.empty", {}],
    ];
    const counts: number[] = [];
    for (const [step, input] of steps) {
      counts.push((await run(step, input)).length);
    }
    return counts;
  };
  await admin.run(operations.emptyTrash);
  expect(await countSteps(40)).toEqual(await countSteps(1));
});
