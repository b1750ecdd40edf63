import { expect, it } from "vitest";
import { invoke, operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";
import { findSameAttachment } from "./find-same-attachment.ts";

it("an import takes no file of a document that its user may not see", {
  meta: { proves: ["decision.app.import"] },
}, async () => {
  const { world } = await testWorld();
  const { service, people, collections } = world;
  const place = { collectionId: collections.open, title: "Plan", publish: false };
  const { id } = await invoke(service, operations.createDocument, people.editor.actor, place);
  const file = { name: "plan.txt", bytes: Buffer.from("Ship it.") };
  const { url } = await invoke(service, operations.attachBytes, people.editor.actor, { documentId: id, ...file });
  const foundBy = (person: typeof people.editor) => findSameAttachment(service, person.actor, collections.open, file);
  expect(await foundBy(people.editor)).toBe(url);
  expect(await foundBy(people.viewer)).toBeNull();
  await invoke(service, operations.updateDocument, people.editor.actor, { id, published: true });
  expect(await foundBy(people.viewer)).toBe(url);
  await invoke(service, operations.deleteDocument, people.editor.actor, { id });
  expect(await foundBy(people.editor)).toBeNull();
});
