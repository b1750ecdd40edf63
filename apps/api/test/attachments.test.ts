import { deflateSync } from "node:zlib";
import type { Failure, One } from "@kb/http/testing";
import { testClock } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Attachment = {
  id: string;
  name: string;
  contentType: string;
  size: number;
  documentId: string | null;
  createdById: string;
  url: string;
  status: string;
  createdAt: string;
};
type Ticket = {
  attachment: Attachment;
  uploadUrl: string;
  method: string;
  headers: Record<string, string>;
  maxUploadSize: number;
  expiresAt: string;
};

const png = Buffer.concat([
  Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55", "hex"),
  Buffer.from("0000000a49444154", "hex"),
  deflateSync(Buffer.from([0, 0])),
  Buffer.from("0000000049454e44ae426082", "hex"),
]);
const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const pdf = Buffer.from("%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n");
const path = "/api/attachments.upload";

describe("attachments", () => {
  const clock = testClock();
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting({ clock });
  });
  afterAll(() => setting.close());

  const register = async (input: object = {}): Promise<Ticket> => {
    const json = { name: "dot.png", contentType: "image/png", size: png.byteLength, ...input };
    const { status, body } = await setting.as(setting.world.people.member).post<One<Ticket>>(path, json);
    expect(status).toBe(200);
    return body.data;
  };
  const put = async (uploadUrl: string, bytes: BodyInit | null, headers: Record<string, string> = {}) => {
    const given = bytes === null ? {} : { body: bytes, duplex: "half" as const };
    const response = await setting.app.request(uploadUrl, { method: "PUT", headers, ...given });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: JSON.parse(text) as One<Attachment> & Failure };
  };
  const get = (url: string, headers: Record<string, string> = {}, method = "GET") =>
    setting.app.request(url, { method, headers });
  const uploaded = async (bytes: Uint8Array<ArrayBuffer>, input: object): Promise<Attachment> => {
    const { uploadUrl } = await register({ size: bytes.byteLength, ...input });
    const { status, body } = await put(uploadUrl, bytes);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.data;
  };

  it("a registration, a PUT to the returned URL and a GET of the public URL return 200", {
    meta: { proves: ["attachments.upload", "decision.attachments.two-steps"] },
  }, async () => {
    const { guide } = setting.world.documents;
    const ticket = await register({ documentId: guide.id });
    expect(ticket).toMatchObject({ method: "PUT", maxUploadSize: png.byteLength });
    expect(ticket.headers).toEqual({ "Content-Type": "image/png" });
    expect(Date.parse(ticket.expiresAt)).toBe(clock.now().getTime() + 3_600_000);
    const { attachment } = ticket;
    expect(attachment).toMatchObject({
      name: "dot.png",
      documentId: guide.id,
      status: "pending",
      size: png.byteLength,
    });
    expect((await get(attachment.url)).status).toBe(404);

    const { status, body } = await put(ticket.uploadUrl, png, ticket.headers);
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...attachment, status: "ready" });
    const served = await get(attachment.url);
    expect(served.status).toBe(200);
    expect(Buffer.from(await served.arrayBuffer())).toEqual(png);
  });

  it("a session may upload; an API key without the write scope is 403", async () => {
    const { world } = setting;
    const json = { name: "dot.png", contentType: "image/png", size: 10 };
    expect(
      (
        await setting
          .as(null)
          .as(await world.session(world.people.member))
          .post(path, json)
      ).status,
    ).toBe(200);
    const reading = await setting.as(await world.key(world.people.member, ["read"])).post<Failure>(path, json);
    expect([reading.status, reading.body.code]).toEqual([403, "insufficient_scope"]);
  });

  it("the URL accepts one PUT: the second is 409", {
    meta: { proves: ["decision.attachments.one-put"] },
  }, async () => {
    const { uploadUrl, attachment } = await register({ contentType: "text/plain", name: "note.txt", size: 100 });
    expect((await put(uploadUrl, "first")).status).toBe(200);
    const second = await put(uploadUrl, "second");
    expect([second.status, second.body.code]).toEqual([409, "conflict"]);
    expect(await (await get(attachment.url)).text()).toBe("first");
  });

  it("the URL is 401 when it is guessed or changed, and after an hour", {
    meta: { proves: ["decision.attachments.one-put"] },
  }, async () => {
    const { uploadUrl } = await register();
    for (const url of [uploadUrl.split("?")[0] ?? "", uploadUrl.replace(/[^/]*\?/, `${unknownId}?`)]) {
      const { status, body } = await put(url, png);
      expect([status, body.code], url).toEqual([401, "invalid_token"]);
    }
    clock.advance(3_600_000);
    const late = await put(uploadUrl, png);
    expect([late.status, late.body.code]).toEqual([401, "invalid_token"]);
  });

  it("a body that is larger than declared is 413, with Content-Length or without; an empty one is 400", {
    meta: { proves: ["decision.attachments.size"] },
  }, async () => {
    const { uploadUrl, attachment } = await register({ name: "note.txt", contentType: "text/plain", size: 10 });
    const announced = await put(uploadUrl, "12345678901", { "Content-Length": "11" });
    expect([announced.status, announced.body.code]).toEqual([413, "payload_too_large"]);
    const streamed = await put(uploadUrl, new Blob(["123456", "78901"]).stream());
    expect([streamed.status, streamed.body.code]).toEqual([413, "payload_too_large"]);
    expect((await get(attachment.url)).status).toBe(404);
    expect((await put(uploadUrl, null)).status).toBe(400);
    const { status, body } = await put(uploadUrl, "1234");
    expect([status, body.data.size]).toEqual([200, 4]);
    expect(await (await get(attachment.url)).text()).toBe("1234");
  });

  it("the registration of more than 25 MB is 413, before a byte is sent", {
    meta: { proves: ["decision.attachments.limit"] },
  }, async () => {
    const member = setting.as(setting.world.people.member);
    const json = { name: "large.bin", contentType: "application/octet-stream" };
    const over = await member.post<Failure>(path, { ...json, size: 26 * 1024 * 1024 });
    expect([over.status, over.body.code]).toEqual([413, "payload_too_large"]);
    expect((await member.post(path, { ...json, size: 25 * 1024 * 1024 })).status).toBe(200);
    expect((await member.post(path, { ...json, size: 0 })).status).toBe(400);
  });

  it("a body whose first bytes are of another type than declared is 415", {
    meta: { proves: ["decision.attachments.magic"] },
  }, async () => {
    const { uploadUrl } = await register({ contentType: "image/png", size: 1_000 });
    const { status, body } = await put(uploadUrl, gif);
    expect([status, body.code]).toEqual([415, "unsupported_media_type"]);
  });

  it("a file that is two types at once is served as the declared one, with headers that forbid guessing and scripts", {
    meta: { proves: ["decision.attachments.headers"] },
  }, async () => {
    const polyglot = Buffer.concat([gif, Buffer.from('/*--><script>alert(1)</script><svg onload="alert(1)">*/=1')]);
    const { url } = await uploaded(polyglot, { name: "both.gif", contentType: "image/gif" });
    const { headers } = await get(url);
    expect(headers.get("Content-Type")).toBe("image/gif");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Content-Security-Policy")).toMatch(/default-src 'none'.*sandbox/);
    expect(headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
  });

  it("images, audio, video and PDF are inline; every other type is a download, also SVG and HTML", {
    meta: { proves: ["decision.attachments.disposition"] },
  }, async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const kinds: [string, Uint8Array<ArrayBuffer>, "inline" | "attachment"][] = [
      ["image/png", png, "inline"],
      ["application/pdf", pdf, "inline"],
      ["image/svg+xml", svg, "attachment"],
      ["text/html", Buffer.from("<script>alert(1)</script>"), "attachment"],
      ["application/xhtml+xml", svg, "attachment"],
      ["text/plain", Buffer.from("plain"), "attachment"],
    ];
    for (const [contentType, bytes, kind] of kinds) {
      const { url } = await uploaded(bytes, { name: "file", contentType });
      const { headers } = await get(url);
      expect(headers.get("Content-Disposition"), contentType).toMatch(new RegExp(`^${kind}; filename="file"`));
      expect(headers.get("Content-Type")).toBe(contentType);
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    }
  });

  it("Content-Disposition has the name without folders, quotes and direction marks; an invalid name is 400", {
    meta: { proves: ["decision.attachments.disposition"] },
  }, async () => {
    const names: [string, string, string][] = [
      ["../../etc/passwd", "passwd", 'filename="passwd"'],
      ["C:\\Temp\\plan.png", "plan.png", 'filename="plan.png"'],
      ['a"; filename="evil.html', 'a"; filename="evil.html', `filename="a_; filename=_evil.html"`],
      ["Übersicht (1).png", "Übersicht (1).png", "filename*=UTF-8''%C3%9Cbersicht%20%281%29.png"],
      ["写真.png", "写真.png", "filename*=UTF-8''%E5%86%99%E7%9C%9F.png"],
      ["gpj.\u202eexe", "gpj.exe", 'filename="gpj.exe"'],
      ["100%.png", "100%.png", 'filename="100_.png"'],
    ];
    for (const [given, name, disposition] of names) {
      const attachment = await uploaded(png, { name: given });
      expect(attachment.name).toBe(name);
      expect(new URL(attachment.url).pathname.split("/")).toHaveLength(4);
      expect(attachment.url).not.toMatch(/[()"\s]/);
      expect((await get(attachment.url)).headers.get("Content-Disposition")).toContain(disposition);
    }
    const member = setting.as(setting.world.people.member);
    expect((await member.post(path, { name: "..", contentType: "image/png", size: 1 })).status).toBe(400);
  });

  it("returns 206 for a range, 416 for one outside the file, and 304 for a matching ETag", {
    meta: { proves: ["decision.attachments.ranges"] },
  }, async () => {
    const { url } = await uploaded(Buffer.from("0123456789"), { name: "digits.txt", contentType: "text/plain" });
    const cases: [string, number, string, string | null][] = [
      ["bytes=0-3", 206, "0123", "bytes 0-3/10"],
      ["bytes=4-", 206, "456789", "bytes 4-9/10"],
      ["bytes=-3", 206, "789", "bytes 7-9/10"],
      ["bytes=-100", 206, "0123456789", "bytes 0-9/10"],
      ["bytes=9-1000", 206, "9", "bytes 9-9/10"],
      ["bytes=10-", 416, "", "bytes */10"],
      ["bytes=-0", 416, "", "bytes */10"],
      ["bytes=5-2", 200, "0123456789", null],
      ["bytes=0-1,4-5", 200, "0123456789", null],
      ["lines=1-2", 200, "0123456789", null],
      ["bytes=-", 200, "0123456789", null],
    ];
    for (const [range, status, text, contentRange] of cases) {
      const response = await get(url, { Range: range });
      expect([response.status, await response.text(), response.headers.get("Content-Range")], range).toEqual([
        status,
        text,
        contentRange,
      ]);
      expect(response.headers.get("Accept-Ranges")).toBe("bytes");
    }
    const { headers } = await get(url);
    const tag = headers.get("ETag") ?? "";
    expect((await get(url, { Range: "bytes=0-3", "If-Range": tag })).status).toBe(206);
    expect((await get(url, { Range: "bytes=0-3", "If-Range": '"another"' })).status).toBe(200);
    expect((await get(url, { "If-None-Match": tag })).status).toBe(304);
    const head = await get(url, {}, "HEAD");
    expect([head.status, head.headers.get("Content-Length"), await head.text()]).toEqual([200, "10", ""]);
    expect((await get(url, {}, "DELETE")).status).toBe(405);
  });

  it("returns 403 for a document that the caller cannot edit, and 404 for a hidden one", async () => {
    const { people, documents } = setting.world;
    const json = { name: "a.png", contentType: "image/png", size: 1 };
    const attach = async (name: "viewer" | "member", documentId: string) =>
      (await setting.as(people[name]).post(path, { ...json, documentId })).status;
    expect(await attach("viewer", documents.guide.id)).toBe(403);
    expect(await attach("member", documents.secret.id)).toBe(404);
  });

  it("the upload address of a suspended user is 401", async () => {
    const { world, database } = setting;
    const { uploadUrl } = await register();
    const user = { teamId_id: { teamId: world.teamId, id: world.people.member.id } };
    await database.client.user.update({ where: user, data: { suspendedAt: new Date() } });
    expect((await put(uploadUrl, png)).status).toBe(401);
    await database.client.user.update({ where: user, data: { suspendedAt: null } });
  });

  it("requests with guessed upload addresses are limited per client", async () => {
    const counting = await openSetting({ perMinute: 3 });
    const url = `http://localhost:3000/api/attachments.upload/${unknownId}?token=x`;
    const answers = [];
    for (let index = 0; index < 4; index += 1)
      answers.push((await counting.app.request(url, { method: "PUT" })).status);
    expect(answers).toEqual([401, 401, 401, 429]);
    await counting.close();
  });
});
