import { callerOf, outcomeOf, type TestCaller } from "@kb/core/testing";
import { expect, it } from "vitest";
import { operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();

type Somebody = "admin" | "editor" | "member" | "viewer";

async function bootAs(who: Somebody) {
  const session = await world.session(world.people[who]);
  const caller: TestCaller = callerOf(world, session);
  return { session, caller, answer: await caller.run(operations.bootApp) };
}

it("the first response has the user, the team, the token of the session and the limits", {
  meta: { proves: ["web.boot"] },
}, async () => {
  const { session, answer } = await bootAs("editor");
  const { editor } = world.people;
  expect(answer).toMatchObject({
    user: { id: editor.id, name: editor.name, email: editor.email, teamId: world.teamId },
    team: { id: world.teamId },
    csrfToken: session.csrf,
    abilities: { createCollection: true },
    limits: { maxUploadSize: 25 * 1024 * 1024, maxMarkdownLength: 1_500_000, maxTitleLength: 255, maxTags: 50 },
  });
  expect((await bootAs("viewer")).answer.abilities).toEqual({ createCollection: false });
});

it("it has the collections that the user may see, with the number of documents that they may read and what they may do", {
  meta: { proves: ["web.boot", "web.abilities"] },
}, async () => {
  const { collections } = world;
  for (const who of ["admin", "editor", "member", "viewer"] as const) {
    const { caller, answer } = await bootAs(who);
    const listed = await caller.listCollections();
    expect(
      answer.collections.map(({ id }) => id),
      who,
    ).toEqual(listed.map(({ id }) => id));
    for (const collection of answer.collections) {
      const { total } = await caller.list({ collectionId: collection.id, limit: 1 });
      expect(collection.documentCount, `${who} ${collection.name}`).toBe(total);
    }
  }
  const abilities = async (who: Somebody, id: string) =>
    (await bootAs(who)).answer.collections.find((collection) => collection.id === id)?.abilities;
  const all = { createDocument: true, publish: true, edit: true, manage: true };
  expect(await abilities("admin", collections.vault)).toEqual(all);
  expect(await abilities("editor", collections.vault)).toBeUndefined();
  expect(await abilities("editor", collections.readable)).toEqual({ ...all, manage: false });
  expect(await abilities("member", collections.open)).toEqual({ ...all, edit: false, manage: false });
  expect(await abilities("viewer", collections.open)).toEqual({
    createDocument: false,
    publish: false,
    edit: false,
    manage: false,
  });
});

it("an archived collection is listed as such, and nothing is created in it", {
  meta: { proves: ["web.boot"] },
}, async () => {
  const { caller } = await bootAs("editor");
  const { id } = await caller.createCollection({ name: "Filed", description: "Long. ".repeat(100) });
  await caller.archiveCollection(id);
  const { collections } = (await bootAs("editor")).answer;
  const filed = collections.find((collection) => collection.id === id);
  expect(filed?.archivedAt).not.toBeNull();
  expect(filed?.abilities).toEqual({ createDocument: false, publish: false, edit: true, manage: true });
  expect(filed).not.toHaveProperty("description");
});

it("a change after it is one that the stream from its position has", { meta: { proves: ["web.boot"] } }, async () => {
  const { caller, answer } = await bootAs("editor");
  await caller.create({ title: "News" });
  const after = (await bootAs("editor")).answer;
  expect(Number(after.lastEventId)).toBeGreaterThan(Number(answer.lastEventId));
});

it("only a browser session boots the app", async () => {
  expect(await outcomeOf(callerOf(world, world.people.admin).run(operations.bootApp))).toBe("forbidden");
});
