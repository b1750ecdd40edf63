import { callerOf, eventsDuring, outcomeOf, type TestCaller, unknownId } from "@kb/core/testing";
import { sql } from "@kb/db";
import { testClock } from "@kb/testing";
import { expect, it } from "vitest";
import { operations } from "../index.ts";
import { dot } from "../testing/matrix/subjects.ts";
import { testWorld } from "../testing/test-world.ts";
import { cleanUpAttachments } from "./clean-up.ts";
import { findFile } from "./find-file.ts";

const clock = testClock();
const { test, world } = await testWorld({ clock });
const session = async (who: "editor" | "member" | "viewer" | "outsider"): Promise<TestCaller> =>
  callerOf(world, await world.session(world.people[who]));
const editor = await session("editor");
const viewer = await session("viewer");

const attach = (documentId: string, name = "dot.png") =>
  editor.run(operations.attachBytes, { name, bytes: dot, documentId });
const remove = (caller: TestCaller, id: string) => caller.run(operations.deleteAttachment, { id });
const isServed = async (url: string) => (await findFile(world.service, url.split("/").at(-2) ?? "")) !== null;
const rows = (id: string) =>
  test.database.rows<{ status: string; size: number; storageKey: string }>(sql`
    SELECT status, size::int, "storageKey" FROM attachments
    WHERE "teamId" = ${world.teamId}::uuid AND id = ${id}::uuid`);

it("a deleted file is no longer listed, served or counted; the text that mentions it stays", {
  meta: { proves: ["web.attachments.delete"] },
}, async () => {
  const { id } = await editor.create({ title: "With a picture", publish: true });
  const file = await attach(id);
  const other = await attach(id, "other.png");
  const text = `![dot](${file.url})`;
  await editor.update(id, { text });
  expect(await remove(editor, file.id)).toEqual({ id: file.id, status: "deleted" });
  const { data } = await viewer.run(operations.listAttachments, { documentId: id, limit: 10 });
  expect(data.map((one) => one.id)).toEqual([other.id]);
  expect([await isServed(file.url), await isServed(other.url)]).toEqual([false, true]);
  const { markdownText } = await editor.get(id, { format: "markdown" });
  expect(markdownText).toContain(new URL(file.url).pathname);
  expect(await rows(file.id)).toMatchObject([{ status: "deleted", size: 0 }]);
});

it("the clean-up removes its bytes and its row at once, without a second event", {
  meta: { proves: ["web.attachments.delete"] },
}, async () => {
  const { id } = await editor.create({ title: "Cleaned", publish: true });
  const file = await attach(id);
  const [{ storageKey = "" } = {}] = await rows(file.id);
  await remove(editor, file.id);
  const { store } = world.service.files ?? {};
  expect(await store?.get(storageKey)).not.toBeNull();
  const events = await eventsDuring(world, async () => {
    expect((await cleanUpAttachments(world.service)).expired).toBe(2);
  });
  expect(events).toEqual([]);
  expect(await rows(file.id)).toEqual([]);
  expect(await store?.get(storageKey)).toBeNull();
});

it("one event names the document, so that its readers receive it", {
  meta: { proves: ["web.attachments.delete"] },
}, async () => {
  const { id } = await editor.create({ title: "Told", publish: true });
  const file = await attach(id);
  const events = await eventsDuring(world, () => remove(editor, file.id));
  expect(events).toMatchObject([
    {
      type: "attachment.deleted",
      data: { id: file.id, title: "dot.png", documentId: id, collectionId: expect.any(String) },
    },
  ]);
});

it("only those who may edit the document delete its file, and a file of a hidden document does not exist", {
  meta: { proves: ["web.attachments.delete", "decision.api.hidden"] },
}, async () => {
  const { id } = await editor.create({ collectionId: world.collections.readable, title: "Guarded", publish: true });
  const file = await attach(id);
  const member = await session("member");
  expect(await outcomeOf(remove(member, file.id))).toBe("forbidden");
  expect(await outcomeOf(remove(await session("outsider"), file.id))).toBe("not_found");
  await editor.update(id, { published: false });
  expect(await outcomeOf(remove(member, file.id))).toBe("not_found");
  expect(await outcomeOf(remove(editor, unknownId))).toBe("not_found");
  await editor.delete(id);
  expect(await outcomeOf(remove(editor, file.id))).toBe("not_found");
  await editor.restore(id);
  // Of two at once, one deletes it.
  const outcomes = await Promise.all([outcomeOf(remove(editor, file.id)), outcomeOf(remove(editor, file.id))]);
  expect(outcomes.sort()).toEqual(["done", "not_found"]);
});

it("an upload that is not complete is no file yet", { meta: { proves: ["web.attachments.delete"] } }, async () => {
  const { id } = await editor.create({ title: "Pending" });
  const request = { name: "late.png", contentType: "image/png", size: 9, documentId: id };
  const { attachment } = await editor.run(operations.uploadAttachment, request);
  expect(await outcomeOf(remove(editor, attachment.id))).toBe("not_found");
});
