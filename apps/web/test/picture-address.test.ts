import { operations } from "@kb/core";
import { callerOf } from "@kb/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { logoAddress, pictureAddress } from "../src/client/parts/picture-address.ts";
import { middle, squareOf, zoomOfWhole } from "../src/client/screens/settings/picture-crop.ts";
import { openSetting, type Setting } from "./setting.ts";

const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("the address of a picture", () => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting();
  });
  afterAll(() => setting?.close());

  it("answers with the image only, inert, with its version as ETag, for a browser to keep", {
    meta: { proves: ["onboarding.picture.served"] },
  }, async () => {
    const { world } = setting;
    const { editor, viewer } = world.people;
    const caller = callerOf(world, await world.session(editor));
    const { picture } = await caller.run(operations.setPicture, { image: dot });
    const path = pictureAddress(editor.id, picture ?? "");
    const answer = await setting.get(path, viewer);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).toString("base64")).toBe(dot);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "private, max-age=86400, immutable",
      etag: `"${picture}"`,
    });
    const known = await setting.get(path, viewer, { "If-None-Match": `"${picture}"` });
    expect([known.status, await known.text()]).toEqual([304, ""]);
    const unnamed = await setting.get(`/people/${editor.id}/picture`, viewer);
    expect([unnamed.status, unnamed.headers.get("Cache-Control")]).toEqual([200, "private, no-cache"]);
  });

  it("answers without a session, from another team, and for somebody without a picture as if there were none", {
    meta: { proves: ["onboarding.picture.hidden"] },
  }, async () => {
    const { world } = setting;
    const { editor, outsider, member } = world.people;
    const caller = callerOf(world, await world.session(editor));
    await caller.run(operations.setPicture, { image: dot });
    const headers = { Accept: "image/*" };
    const answers = await Promise.all([
      setting.get(`/people/${editor.id}/picture`, null, headers),
      setting.get(`/people/${editor.id}/picture`, outsider, headers),
      setting.get(`/people/${member.id}/picture`, editor, headers),
      setting.get(`/people/${world.teamId}/picture`, editor, headers),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({ error: "Picture not found", code: "not_found" });
    }
  });

  it("of the logo answers the people of the team with it, and others as if there were none", {
    meta: { proves: ["onboarding.logo.hidden"] },
  }, async () => {
    const { world } = setting;
    const { admin, viewer, outsider } = world.people;
    const { picture } = await callerOf(world, await world.session(admin)).run(operations.setLogo, { image: dot });
    const path = logoAddress(picture ?? "");
    const answer = await setting.get(path, viewer);
    expect(Buffer.from(await answer.arrayBuffer()).toString("base64")).toBe(dot);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "image/png",
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "private, max-age=86400, immutable",
      etag: `"${picture}"`,
    });
    expect(await (await setting.get("/", viewer)).text()).toContain(`<img class="logo" src="${path}" alt=""`);
    for (const other of [null, outsider]) {
      const refused = await setting.get(path, other, { Accept: "image/*" });
      expect([refused.status, await refused.json()]).toEqual([404, { error: "Logo not found", code: "not_found" }]);
    }
    expect(await (await setting.get("/", outsider)).text()).not.toContain('class="logo"');
  });
});

it.each([
  [middle, { left: 100, top: 0, side: 200 }],
  [
    { zoom: 1, across: 0, down: 1 },
    { left: 0, top: 0, side: 200 },
  ],
  [
    { zoom: 2, across: 1, down: 1 },
    { left: 300, top: 100, side: 100 },
  ],
  [
    { zoom: zoomOfWhole({ width: 400, height: 200 }), across: 0.5, down: 0.5 },
    { left: 0, top: -100, side: 400 },
  ],
])("the square of an image of 400 × 200 pixels with %j is %j", (crop, square) => {
  expect(squareOf({ width: 400, height: 200 }, crop)).toEqual(square);
});
