import { callerOf, outcomeOf } from "@kb/core/testing";
import { testClock } from "@kb/testing";
import { expect, it } from "vitest";
import { operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const clock = testClock();
const { world } = await testWorld({ clock });
const editor = callerOf(world, await world.session(world.people.editor));
const other = callerOf(world, world.people.admin);

it("a revision is shown as safe HTML with what changed since the stored revision before it", {
  meta: { proves: ["web.history"] },
}, async () => {
  const { id } = await other.create({ title: "T", text: "one\n\n<img src=x onerror=alert(1)>", publish: true });
  clock.advance(600_000);
  await editor.update(id, { text: "one\n\n*two*" });
  const view = (revision: number) => editor.run(operations.viewRevision, { id, revision });
  const first = await view(1);
  expect(first).toMatchObject({ revision: 1, title: "T", previousRevision: null, diff: null });
  expect(first.html).not.toMatch(/<img[^>]*onerror/);
  const { revisions } = { revisions: (await editor.revisions(id)).data.map(({ revision }) => revision) };
  const second = await view(revisions[0] ?? 0);
  expect(second.html).toContain("<em>two</em>");
  expect(second).toMatchObject({ previousRevision: revisions[1], author: { id: world.people.editor.id } });
  expect(second.diff).toContain("+*two*");
  expect(await outcomeOf(view(99))).toBe("not_found");
});
