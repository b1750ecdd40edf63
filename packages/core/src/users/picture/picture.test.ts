import { deflateSync } from "node:zlib";
import { callerOf, outcomeOf } from "@kb/core/testing";
import { sql } from "@kb/db";
import { describe, expect, it } from "vitest";
import { operations } from "../../index.ts";
import { recountStorage } from "../../quotas/recount-storage.ts";
import { dot } from "../../testing/matrix/subjects.ts";
import { testWorld } from "../../testing/test-world.ts";
import { inspectPicture } from "./inspect-picture.ts";

const { world } = await testWorld();
const { people, service, teamId } = world;
const viewer = callerOf(world, await world.session(people.viewer));
const admin = callerOf(world, await world.session(people.admin));
const editor = callerOf(world, await world.session(people.editor));
const outsider = callerOf(world, await world.session(people.outsider));

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** Returns a gray PNG of this size, whose pixels compress well, with bytes that a reader skips. */
function png(width: number, height: number, padding = 0): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc(Math.min(height * (width + 1), 1_000_000)));
  const parts = [chunk("IHDR", header), chunk("tEXt", Buffer.alloc(padding, 0x61)), chunk("IDAT", pixels)];
  return Buffer.concat([dot.subarray(0, 8), ...parts, chunk("IEND", Buffer.alloc(0))]);
}

/** A chunk of a PNG, with a checksum that only decoders compare. */
function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
}

const jpeg = (width: number, height: number): Buffer =>
  Buffer.from(
    [
      "ffd8 ffe0 0010 4a46494600010100000100010000",
      // Fill bytes before a marker, and a table, whose marker looks like that of a frame.
      "ffffff c4 0003 00",
      `ffc2 0011 08 ${hex(height)} ${hex(width)} 03 012200 021101 031101`,
    ]
      .join("")
      .replaceAll(" ", ""),
    "hex",
  );

const hex = (value: number): string => value.toString(16).padStart(4, "0");

const webp = (chunkName: string, content: string): Buffer =>
  Buffer.from(
    `52494646 40000000 57454250 ${Buffer.from(chunkName).toString("hex")} 0a000000 ${content}`.replaceAll(" ", ""),
    "hex",
  );

/** Returns the bytes of attachments that are counted for a user, or for the team. */
async function countedFor(userId: string): Promise<number | undefined> {
  const [row] = await service.database.acrossTeams.rows<{ bytes: number }>(sql`
    SELECT "attachmentBytes"::float8 AS bytes FROM storage_usage WHERE "teamId" = ${teamId}::uuid AND "userId" = ${userId}::uuid`);
  return row?.bytes;
}

describe("a picture", () => {
  it("is set by its user, shown beside their name, and counted as an attachment", {
    meta: { proves: ["onboarding.picture.set", "onboarding.picture.hidden"] },
  }, async () => {
    const image = png(256, 256);
    const { picture } = await viewer.run(operations.setPicture, { image: base64(image) });
    expect(picture).toMatch(/^[\w-]{22}$/);
    expect(await countedFor(people.viewer.id)).toBe(image.length);
    const listed = await editor.run(operations.listDirectory, { ids: [people.viewer.id, people.admin.id] });
    expect(new Map(listed.data.map((each) => [each.id, each.picture]))).toEqual(
      new Map([
        [people.viewer.id, picture],
        [people.admin.id, null],
      ]),
    );
    expect((await viewer.run(operations.bootApp, {})).picture).toBe(picture);
    const read = await editor.run(operations.getPicture, { id: people.viewer.id });
    expect([read.contentType, read.version, Buffer.from(read.bytes).equals(image)]).toEqual([
      "image/png",
      picture,
      true,
    ]);
    const smaller = png(1, 1);
    await viewer.run(operations.setPicture, { image: base64(smaller) });
    expect(await countedFor(people.viewer.id)).toBe(smaller.length);
    await recountStorage(service);
    expect(await countedFor(people.viewer.id)).toBe(smaller.length);
  });

  it("is not set beyond a quota, and the earlier one stays", {
    meta: { proves: ["onboarding.picture.set"] },
  }, async () => {
    const { picture } = await editor.run(operations.setPicture, { image: base64(png(4, 4)) });
    const used = (await countedFor(people.editor.id)) ?? 0;
    const limited = { ...service, quotas: { user: { attachments: used + 10 }, team: {} } };
    const inLimits = callerOf({ ...world, service: limited }, await world.session(people.editor));
    const set = inLimits.run(operations.setPicture, { image: base64(png(4, 4, 100)) });
    await expect(set).rejects.toMatchObject({ code: "payload_too_large" });
    expect((await editor.run(operations.getPicture, { id: people.editor.id })).version).toBe(picture);
    expect(await countedFor(people.editor.id)).toBe(used);
  });

  it("of the same bytes leaves no trace, and of 20 at once one stays", {
    meta: { proves: ["onboarding.picture.set"] },
  }, async () => {
    const count = () => service.database.client.auditEntry.count({ where: { teamId, action: "auth.picture.set" } });
    const image = base64(png(9, 9));
    await admin.run(operations.setPicture, { image });
    const before = await count();
    await admin.run(operations.setPicture, { image });
    expect(await count()).toBe(before);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        admin.run(operations.setPicture, { image: base64(png(10 + index, 10, index)) }),
      ),
    );
    const [stored] = await service.database.client.userPicture.findMany({ where: { teamId, userId: people.admin.id } });
    expect(await countedFor(people.admin.id)).toBe(stored?.bytes.length);
  });

  it("is removed by its user, and by those who manage people", {
    meta: { proves: ["onboarding.picture.removed"] },
  }, async () => {
    const read = async () => await outcomeOf(admin.run(operations.getPicture, { id: people.viewer.id }));
    for (const remove of [
      () => viewer.run(operations.removePicture, {}),
      () => admin.run(operations.removePictureOf, { id: people.viewer.id }),
    ]) {
      await viewer.run(operations.setPicture, { image: base64(dot) });
      expect(await read()).toBe("done");
      expect(await remove()).toEqual({ picture: null });
      expect(await read()).toBe("not_found");
      // A repeated call is no change.
      await remove();
    }
    expect(await countedFor(people.viewer.id)).toBe(0);
    const where = { teamId, action: { in: ["auth.picture.remove", "users.removePicture"] } };
    const entries = await service.database.client.auditEntry.findMany({ where, orderBy: { id: "asc" } });
    expect(entries.map(({ action, targetId }) => [action, targetId])).toEqual([
      ["auth.picture.remove", people.viewer.id],
      ["users.removePicture", people.viewer.id],
    ]);
    expect(await outcomeOf(outsider.run(operations.removePictureOf, { id: people.viewer.id }))).toBe("not_found");
  });

  it("of another team, of nobody and of somebody without one are answered alike", {
    meta: { proves: ["onboarding.picture.hidden"] },
  }, async () => {
    await editor.run(operations.setPicture, { image: base64(dot) });
    const answers = [
      [outsider, people.editor.id],
      [viewer, people.outsider.id],
      [viewer, people.viewer.id],
      [viewer, teamId],
    ] as const;
    for (const [caller, id] of answers) {
      await expect(caller.run(operations.getPicture, { id })).rejects.toMatchObject({
        code: "not_found",
        message: "Picture not found",
      });
    }
    const { id } = await admin.run(operations.createGroup, { name: "Waiting", capabilities: ["tag.create"] });
    await admin.run(operations.updateUser, { id: people.viewer.id, groupIds: [id] });
    const waiting = callerOf(world, await world.session(people.viewer));
    expect(await outcomeOf(waiting.run(operations.getPicture, { id: people.editor.id }))).toBe("not_found");
    await waiting.run(operations.setPicture, { image: base64(dot) });
    expect(await outcomeOf(waiting.run(operations.getPicture, { id: people.viewer.id }))).toBe("done");
  });

  it.each([
    [
      "a GIF",
      Buffer.from("GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00;", "latin1"),
      "unsupported_media_type",
    ],
    [
      "an SVG",
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
      "unsupported_media_type",
    ],
    ["a page", Buffer.from("<!doctype html><script>1</script>"), "unsupported_media_type"],
    ["an animated PNG", animated(), "unsupported_media_type"],
    ["an animated WebP", webp("VP8X", "02000000 000000 000000"), "unsupported_media_type"],
    ["the begin of a PNG", dot.subarray(0, 18), "unsupported_media_type"],
    ["a PNG of 513 pixels", png(513, 1), "validation_error"],
    ["a PNG that decodes to gigabytes", png(60_000, 60_000), "validation_error"],
    ["a JPEG of 513 pixels", jpeg(1, 513), "validation_error"],
    ["no pixels", png(0, 1), "validation_error"],
    ["300,001 bytes", png(1, 1, 300_000), "validation_error"],
    ["nothing", new Uint8Array(), "validation_error"],
  ])("is not %s", { meta: { proves: ["onboarding.picture.set"] } }, async (_what, bytes, code) => {
    await expect(viewer.run(operations.setPicture, { image: base64(bytes) })).rejects.toMatchObject({ code });
  });

  it("is not a text that is no Base64", { meta: { proves: ["onboarding.picture.set"] } }, async () => {
    const set = viewer.run(operations.setPicture, { image: "not Base64!" });
    await expect(set).rejects.toMatchObject({ code: "validation_error" });
  });

  it.each([
    ["PNG", png(512, 300), "image/png"],
    ["JPEG", jpeg(512, 300), "image/jpeg"],
    ["lossy WebP", webp("VP8 ", "000000 9d012a 0002 2c01"), "image/webp"],
    ["lossless WebP", webp("VP8L", "2f ffc14a00 0000000000"), "image/webp"],
    ["extended WebP", webp("VP8X", "00000000 ff0100 2b0100"), "image/webp"],
  ])("tells its size as %s", { meta: { proves: ["onboarding.picture.set"] } }, async (_format, bytes, contentType) => {
    expect(await inspectPicture(bytes)).toEqual({ contentType, width: 512, height: 300 });
  });
});

/** A PNG with the chunk that says that it moves. */
function animated(): Buffer {
  const header = Buffer.from(dot.subarray(0, 33));
  return Buffer.concat([header, chunk("acTL", Buffer.alloc(8)), Buffer.from(dot.subarray(33))]);
}
