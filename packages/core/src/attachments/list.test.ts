import { callerOf, outcomeOf, type TestCaller, unknownId } from "@kb/core/testing";
import { expect, it } from "vitest";
import { operations } from "../index.ts";
import { dot } from "../testing/matrix/subjects.ts";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const editor = callerOf(world, await world.session(world.people.editor));
const viewer = callerOf(world, await world.session(world.people.viewer));

const attach = (documentId: string, name: string, bytes: Uint8Array = dot) =>
  editor.run(operations.attachBytes, { name, bytes, documentId });
const files = async (caller: TestCaller, documentId: string, input: object = {}) =>
  caller.run(operations.listAttachments, { documentId, limit: 100, ...input });

it("lists the complete files of a document, the newest first, a page at a time", {
  meta: { proves: ["web.attachments"] },
}, async () => {
  const { id } = await editor.create({ title: "With files", publish: true });
  const picture = await attach(id, "dot (1).png");
  const notes = await attach(id, "notes.svg", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"));
  await editor.run(operations.uploadAttachment, {
    name: "never.png",
    contentType: "image/png",
    size: 9,
    documentId: id,
  });
  await attach((await editor.create({ title: "Other", publish: true })).id, "other.png");
  const { data, total } = await files(viewer, id);
  expect(total).toBe(2);
  expect(data).toEqual([
    expect.objectContaining({ id: notes.id, name: "notes.svg", isPicture: false, url: notes.url }),
    expect.objectContaining({
      id: picture.id,
      name: "dot (1).png",
      size: dot.length,
      isPicture: true,
      url: picture.url,
    }),
  ]);
  const second = await files(viewer, id, { limit: 1, offset: 1 });
  expect([second.total, second.data.map((file) => file.id)]).toEqual([2, [picture.id]]);
});

it("a document that is hidden or in the trash has no files for the caller, like one that does not exist", {
  meta: { proves: ["web.attachments", "decision.api.hidden"] },
}, async () => {
  const { id } = await editor.create({ title: "Draft with a file" });
  await attach(id, "dot.png");
  expect((await files(editor, id)).total).toBe(1);
  for (const hidden of [id, world.documents.secret.id, unknownId]) {
    expect(await outcomeOf(files(viewer, hidden))).toBe("not_found");
  }
  await editor.delete(id);
  expect(await outcomeOf(files(editor, id))).toBe("not_found");
});
