import { buffer } from "node:stream/consumers";
import { deflateSync } from "node:zlib";
import { addPerson, callerOf, eventsDuring, outcomeOf, unknownId } from "@kb/core/testing";
import { testClock } from "@kb/testing";
import { describe, expect, it } from "vitest";
import * as operations from "../operations.ts";
import { testWorld } from "../testing/test-world.ts";
import { findFile } from "./find-file.ts";
import { receiveUpload } from "./receive.ts";

const png = Buffer.concat([
  Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55", "hex"),
  Buffer.from("0000000a49444154", "hex"),
  deflateSync(Buffer.from([0, 0])),
  Buffer.from("0000000049454e44ae426082", "hex"),
]);
const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const pdf = Buffer.from("%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n");
const hourMs = 3_600_000;

const clock = testClock();
const { test, world } = await testWorld({ clock });

const register = (input: object = {}, who = world.people.member) =>
  callerOf(world, who).run(operations.uploadAttachment, {
    name: "dot.png",
    contentType: "image/png",
    size: png.byteLength,
    ...input,
  });

/** Sends bytes to an upload address, as the edge does. */
function send(uploadUrl: string, bytes: string | Uint8Array, length?: number) {
  const url = new URL(uploadUrl);
  const id = url.pathname.split("/").at(-1) ?? "";
  const token = url.searchParams.get("token") ?? "";
  return receiveUpload(world.service, { id, token, body: chunksOf(bytes), length });
}

async function* chunksOf(bytes: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const whole = Buffer.from(bytes);
  yield whole.subarray(0, 6);
  if (whole.byteLength > 6) yield whole.subarray(6);
}

/** Reads the bytes behind a public URL. Returns null if there are none. */
async function readFile(url: string): Promise<Buffer | null> {
  const file = await findFile(world.service, url.split("/").at(-2) ?? "");
  const bytes = await file?.open();
  return bytes ? buffer(bytes) : null;
}

describe("an upload", () => {
  it("is registered, then sent to the returned URL within an hour, then served by the public URL", {
    meta: { proves: ["attachments.upload", "decision.attachments.two-steps"] },
  }, async () => {
    const { guide } = world.documents;
    const ticket = await register({ documentId: guide.id });
    expect(ticket).toMatchObject({
      method: "PUT",
      maxUploadSize: png.byteLength,
      headers: { "Content-Type": "image/png" },
      attachment: { name: "dot.png", documentId: guide.id, status: "pending", size: png.byteLength },
    });
    expect(Date.parse(ticket.expiresAt)).toBe(clock.now().getTime() + hourMs);
    const { attachment } = ticket;
    expect(await readFile(attachment.url)).toBeNull();
    expect(await send(ticket.uploadUrl, png)).toEqual({ ...attachment, status: "ready" });
    expect(await readFile(attachment.url)).toEqual(png);
  });

  it("has a public id of 192 random bits that does not show the id of the attachment", {
    meta: { proves: ["decision.attachments.unguessable"] },
  }, async () => {
    const { attachment } = await register();
    const publicId = attachment.url.split("/").at(-2) ?? "";
    expect(Buffer.from(publicId, "base64url")).toHaveLength(24);
    expect(attachment.url).not.toContain(attachment.id);
    expect(await findFile(world.service, attachment.id)).toBeNull();
  });

  it("succeeds once: of ten at once exactly one is stored, and a later one is a conflict", {
    meta: { proves: ["decision.attachments.one-put"] },
  }, async () => {
    const { uploadUrl, attachment } = await register({ contentType: "text/plain", name: "note.txt", size: 100 });
    const sent = Array.from({ length: 10 }, (_, index) => outcomeOf(send(uploadUrl, `number ${index}`)));
    const outcomes = await Promise.all(sent);
    expect(outcomes.toSorted()).toEqual([...Array.from({ length: 9 }, () => "conflict"), "done"]);
    const stored = Buffer.from(`number ${outcomes.indexOf("done")}`);
    expect(await readFile(attachment.url)).toEqual(stored);
    expect(await outcomeOf(send(uploadUrl, "again"))).toBe("conflict");
    expect(await readFile(attachment.url)).toEqual(stored);
  });

  it("is refused with a changed token or id, and after an hour", {
    meta: { proves: ["decision.attachments.one-put"] },
  }, async () => {
    const { uploadUrl } = await register();
    const changed = `${uploadUrl.slice(0, -1)}${uploadUrl.endsWith("A") ? "B" : "A"}`;
    for (const url of [changed, uploadUrl.split("?")[0] ?? "", uploadUrl.replace(/[^/]*\?/, `${unknownId}?`)]) {
      expect(await outcomeOf(send(url, png)), url).toBe("invalid_token");
    }
    clock.advance(hourMs);
    await expect(send(uploadUrl, png)).rejects.toMatchObject({
      code: "invalid_token",
      message: expect.stringContaining("expired"),
    });
  });

  it("has at most the declared size, whether it announces its length or not, and may be shorter", {
    meta: { proves: ["decision.attachments.size"] },
  }, async () => {
    const { uploadUrl, attachment } = await register({ name: "note.txt", contentType: "text/plain", size: 10 });
    expect(await outcomeOf(send(uploadUrl, "12345678901", 11))).toBe("payload_too_large");
    expect(await outcomeOf(send(uploadUrl, "12345678901"))).toBe("payload_too_large");
    expect(await readFile(attachment.url)).toBeNull();
    expect(await outcomeOf(send(uploadUrl, ""))).toBe("validation_error");
    expect(await send(uploadUrl, "1234")).toMatchObject({ size: 4 });
    expect(await readFile(attachment.url)).toEqual(Buffer.from("1234"));
  });

  it("has at most 25 MB by default", { meta: { proves: ["decision.attachments.limit"] } }, async () => {
    const ask = (size: number) => outcomeOf(register({ contentType: "application/octet-stream", size }));
    expect(await ask(26 * 1024 * 1024)).toBe("payload_too_large");
    expect(await ask(25 * 1024 * 1024)).toBe("done");
    expect(await ask(0)).toBe("validation_error");
  });

  it.each([
    ["image/png", gif],
    ["image/png", "<script>alert(1)</script>"],
    ["image/png", "GIF89a"],
    ["image/jpeg", png],
    ["application/pdf", png],
    ["application/pdf", "<html>%PDF-1.4"],
    ["video/mp4", "not a film"],
    ["audio/mpeg", pdf],
    ["text/html", png],
    ["text/plain", pdf],
    ["application/zip", "PK is not enough"],
    ["image/unheard-of", "anything"],
  ])(
    "declared as %s is refused when its first bytes are of another type (case %#)",
    { meta: { proves: ["decision.attachments.magic"] } },
    async (contentType, bytes) => {
      const { uploadUrl } = await register({ contentType, size: 1_000 });
      expect(await outcomeOf(send(uploadUrl, bytes))).toBe("unsupported_media_type");
    },
  );

  it.each([
    ["image/gif", gif],
    ["image/png; charset=binary", png],
    ["application/pdf", pdf],
    ["text/csv", "a,b\n"],
    ["application/json", "{}"],
    ["text/xml", '<?xml version="1.0"?><a/>'],
    ["application/octet-stream", gif],
    ["application/x-of-our-own", "anything"],
  ])(
    "declared as %s is stored when its first bytes match",
    { meta: { proves: ["decision.attachments.magic"] } },
    async (contentType, bytes) => {
      const { uploadUrl } = await register({ contentType, size: 1_000 });
      expect(await outcomeOf(send(uploadUrl, bytes))).toBe("done");
    },
  );

  it("is refused after its user is suspended", async () => {
    const person = await addPerson(world, "Members");
    const { uploadUrl } = await register({}, person);
    const user = { teamId_id: { teamId: world.teamId, id: person.id } };
    await test.database.client.user.update({ where: user, data: { suspendedAt: new Date() } });
    expect(await outcomeOf(send(uploadUrl, png))).toBe("invalid_token");
  });
});

it.each([
  ["../../etc/passwd", "passwd"],
  ["C:\\Temp\\plan.png", "plan.png"],
  ['a"; filename="evil.html', 'a"; filename="evil.html'],
  ["gpj.\u202eexe", "gpj.exe"],
])("the name %j is stored as %j, without folders and direction marks", async (given, name) => {
  const { attachment } = await register({ name: given });
  expect(attachment.name).toBe(name);
  expect(new URL(attachment.url).pathname.split("/")).toHaveLength(4);
  expect(attachment.url).not.toMatch(/[()"\s]/);
});

it.each(["", "..", "a/..", "a/", "line\nbreak", "nul\u0000", "x".repeat(256)])(
  "the name %j is rejected",
  async (name) => {
    expect(await outcomeOf(register({ name }))).toBe("validation_error");
  },
);

it("a document takes an attachment only from a caller who can edit it, and a hidden document is not found", async () => {
  const { editor, member, viewer, outsider } = world.people;
  const { guide, secret } = world.documents;
  const ask = (who: typeof editor | string, documentId: string) =>
    outcomeOf(
      callerOf(world, who).run(operations.uploadAttachment, {
        name: "a.png",
        contentType: "image/png",
        size: 1,
        documentId,
      }),
    );
  expect(await ask(editor, guide.id)).toBe("done");
  expect(await ask(viewer, guide.id)).toBe("forbidden");
  expect(await ask(member, secret.id)).toBe("not_found");
  expect(await ask(outsider, guide.id)).toBe("not_found");
  expect(await ask(member, unknownId)).toBe("not_found");
  const restrictions = { collections: { [world.collections.open]: "read" } } as const;
  expect(await ask(await world.key(editor, ["write"], { restrictions }), guide.id)).toBe("forbidden");
});

it("one event is written when the bytes are stored, and it does not contain their address", async () => {
  const { guide } = world.documents;
  const ticket = await register({ documentId: guide.id });
  const events = await eventsDuring(world, async () => {
    await send(ticket.uploadUrl, png);
    expect(await outcomeOf(send(ticket.uploadUrl, png))).toBe("conflict");
  });
  const { id } = ticket.attachment;
  const data = { id, title: "dot.png", documentId: guide.id, collectionId: guide.collectionId, url: guide.url };
  expect(events).toEqual([{ type: "attachment.created", data }]);
  expect(JSON.stringify(events)).not.toContain("/files/");
  const { event } = test.database.client;
  const row = await event.findFirst({
    where: { teamId: world.teamId, type: "attachment.created", documentId: guide.id },
  });
  expect(row?.actor).toMatchObject({ type: "user", id: world.people.member.id });
});
