import { callerOf, outcomeOf } from "@kb/core/testing";
import { expect, it } from "vitest";
import { operations } from "../../index.ts";
import { dot } from "../../testing/matrix/subjects.ts";
import { testWorld } from "../../testing/test-world.ts";

const { world } = await testWorld();
const { people, service, teamId } = world;
const admin = callerOf(world, await world.session(people.admin));
const viewer = callerOf(world, await world.session(people.viewer));
const outsider = callerOf(world, await world.session(people.outsider));

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
/** A picture of one pixel with bytes behind it, which readers skip. */
const variant = (index: number): string => base64(Buffer.concat([dot, Buffer.from([index])]));

async function actions(): Promise<string[]> {
  const where = { teamId, targetType: "team", targetId: teamId };
  const entries = await service.database.client.auditEntry.findMany({ where, orderBy: { id: "asc" } });
  return entries.map(({ action }) => action);
}

it("a logo is set by those who may, seen by everybody in the team and by nobody else, and removed", {
  meta: { proves: ["onboarding.logo.set", "onboarding.logo.hidden", "onboarding.logo.shown"] },
}, async () => {
  expect(await outcomeOf(viewer.run(operations.getLogo))).toBe("not_found");
  expect(await outcomeOf(viewer.run(operations.setLogo, { image: base64(dot) }))).toBe("forbidden");
  const { picture } = await admin.run(operations.setLogo, { image: base64(dot) });
  expect(picture).toMatch(/^[\w-]{22}$/);
  expect((await viewer.run(operations.bootApp)).team.logo).toBe(picture);
  const read = await viewer.run(operations.getLogo);
  expect([read.contentType, read.version, base64(read.bytes)]).toEqual(["image/png", picture, base64(dot)]);
  expect((await outsider.run(operations.bootApp)).team.logo).toBeNull();
  await expect(outsider.run(operations.getLogo)).rejects.toMatchObject({
    code: "not_found",
    message: "Logo not found",
  });
  // The same bytes again are no change.
  await admin.run(operations.setLogo, { image: base64(dot) });
  expect(await outcomeOf(viewer.run(operations.removeLogo))).toBe("forbidden");
  for (let turn = 0; turn < 2; turn++) expect(await admin.run(operations.removeLogo)).toEqual({ picture: null });
  expect((await viewer.run(operations.bootApp)).team.logo).toBeNull();
  expect(await actions()).toEqual(["team.create", "team.setLogo", "team.removeLogo"]);
});

it("of 20 logos at once one stays, whole", { meta: { proves: ["onboarding.logo.set"] } }, async () => {
  const images = Array.from({ length: 20 }, (_, index) => variant(index));
  await Promise.all(images.map((image) => admin.run(operations.setLogo, { image })));
  const { bytes, version } = await viewer.run(operations.getLogo);
  expect(images).toContain(base64(bytes));
  expect((await viewer.run(operations.bootApp)).team.logo).toBe(version);
});

it.each([
  ["an SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>'), "unsupported_media_type"],
  ["300,001 bytes", Buffer.concat([dot, Buffer.alloc(300_001 - dot.length)]), "validation_error"],
  ["nothing", new Uint8Array(), "validation_error"],
])("a logo is not %s", { meta: { proves: ["onboarding.logo.set"] } }, async (_what, bytes, code) => {
  await expect(admin.run(operations.setLogo, { image: base64(bytes) })).rejects.toMatchObject({ code });
});
