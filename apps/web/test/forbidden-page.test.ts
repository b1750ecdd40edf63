import { operations } from "@kb/core";
import { addPerson, sessionCallerOf } from "@kb/core/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

let setting: Setting;
beforeAll(async () => {
  setting = await openSetting();
});
afterAll(() => setting?.close());

it("somebody who may read nothing yet is told who can give them access, and sees no other name", {
  meta: { proves: ["web.page.hidden"] },
}, async () => {
  const { world } = setting;
  const admin = await sessionCallerOf(world, world.people.admin);
  await admin.run(operations.createGroup, { name: "Waiting", capabilities: ["tag.create"] });
  const newcomer = await addPerson(world, "Waiting");
  const answer = await setting.get("/", newcomer);
  const text = await answer.text();
  expect(answer.status).toBe(403);
  expect(text).toContain(world.people.admin.name);
  for (const { name } of [world.people.editor, world.people.viewer]) expect(text).not.toContain(name);
});
