import { callerOf, outcomeOf } from "@kb/core/testing";
import { expect, it } from "vitest";
import { operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const member = callerOf(world, await world.session(world.people.member));
const viewer = callerOf(world, await world.session(world.people.viewer));
const profileOf = async (caller: typeof member) => (await caller.run(operations.getSession, {})).profile;

it("a user sets their name, language and theme, each alone, and nobody else's profile changes", {
  meta: { proves: ["onboarding.profile"] },
}, async () => {
  const { name, email } = world.people.member;
  expect(await profileOf(member)).toEqual({ name, email, language: null, theme: null, hasPassword: false });
  await member.run(operations.updateProfile, { language: "ar" });
  await member.run(operations.updateProfile, { theme: "dark" });
  const changed = await member.run(operations.updateProfile, { name: "  Ada  " });
  expect(changed).toEqual({ name: "Ada", email, language: "ar", theme: "dark", hasPassword: false });
  expect(await profileOf(member)).toEqual(changed);
  expect((await member.run(operations.getSession, {})).user.name).toBe("Ada");
  expect(await profileOf(viewer)).toMatchObject({ name: world.people.viewer.name, language: null });
  expect(await member.run(operations.updateProfile, { language: null })).toMatchObject({
    language: null,
    theme: "dark",
  });
});

it("a change of the profile is audited with the fields' names only, and a repeat leaves no entry", {
  meta: { proves: ["onboarding.profile"] },
}, async () => {
  const { id, actor } = world.people.viewer;
  for (const _ of [1, 2]) await viewer.run(operations.updateProfile, { name: "Grace", language: "en" });
  const entries = await world.service.database.client.auditEntry.findMany({
    where: { teamId: actor.teamId, userId: id, action: "auth.updateProfile" },
    select: { outcome: true, targetType: true, targetId: true, details: true },
  });
  expect(entries).toEqual([
    { outcome: "success", targetType: "user", targetId: id, details: { fields: ["name", "language"] } },
  ]);
});

it.each([
  ["an unknown language", { language: "fr" }],
  ["an unknown theme", { theme: "blue" }],
  ["an empty name", { name: "  " }],
  ["another field", { email: "other@example.org" }],
])("%s is a bad input", { meta: { proves: ["onboarding.profile"] } }, async (_, input) => {
  expect(await outcomeOf(member.run(operations.updateProfile, input))).toBe("validation_error");
});
