import { callerOf, outcomeOf } from "@kb/core/testing";
import { expect, it } from "vitest";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const editor = callerOf(world, world.people.editor);

const text = "Intro.\n\n- [ ] one\n  - [ ] **two** and more\n- [x] three\n\n> - [ ] one\n";
const create = async (): Promise<string> => (await editor.create({ text })).id;
const markdown = async (id: string) => (await editor.get(id, { format: "markdown" })).markdownText;
const set = (id: string, edit: object) => editor.edit(id, { op: "set_task", ...edit });

it("checks and unchecks the task at a place, and changes nothing else", {
  meta: { proves: ["web.set-task"] },
}, async () => {
  const id = await create();
  await set(id, { task: 1, text: "two and more", checked: true });
  expect(await markdown(id)).toBe(text.replace("[ ] **two**", "[x] **two**"));
  await set(id, { task: 2, expectedRevision: 2, checked: false });
  expect(await markdown(id)).toBe(text.replace("[ ] **two**", "[x] **two**").replace("[x] three", "[ ] three"));
  const before = await editor.get(id);
  expect(await set(id, { task: 2, text: "three", checked: false })).toMatchObject({ revision: before.revision });
});

it("finds the task by its text after a concurrent edit, and never sets another", {
  meta: { proves: ["web.set-task"] },
}, async () => {
  const id = await create();
  await editor.edit(id, { op: "prepend", markdown: "- [ ] new\n\nText." });
  await set(id, { task: 2, text: "three", checked: false });
  expect(await markdown(id)).toContain("- [ ] three");
  expect(await outcomeOf(set(id, { task: 0, text: "one", checked: true }))).toBe("text_ambiguous");
  expect(await outcomeOf(set(id, { task: 0, text: "gone", checked: true }))).toBe("text_not_found");
  expect(await outcomeOf(set(id, { task: 0, expectedRevision: 1, checked: true }))).toBe("revision_conflict");
  expect(await outcomeOf(set(id, { task: 9, expectedRevision: 3, checked: true }))).toBe("text_not_found");
  expect(await outcomeOf(set(id, { task: 0, checked: true }))).toBe("validation_error");
  expect(await markdown(id)).toContain("- [ ] new");
  expect(await markdown(id)).toContain("- [ ] one");
});

it("of many tasks ticked at once, none is lost; also in a large document", {
  meta: { proves: ["web.set-task"] },
}, async () => {
  const lines = Array.from({ length: 12 }, (_, place) => `- [ ] task ${place}`).join("\n");
  const { id } = await editor.create({ text: `${lines}\n\n${"Many words. ".repeat(3_000)}` });
  await Promise.all(Array.from({ length: 12 }, (_, task) => set(id, { task, text: `task ${task}`, checked: true })));
  expect((await markdown(id))?.match(/- \[x\] task/g)).toHaveLength(12);
});
