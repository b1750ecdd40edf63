import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { guardedFetch } from "@kb/outgoing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Assistant, type Desk, openDesk } from "./desk.ts";

/** A picture of one point. */
const dot = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==",
  "base64",
);

describe("upload_image", () => {
  let desk: Desk;
  let editor: Assistant;
  let viewer: Assistant;
  let pictures: { readonly url: string; close(): Promise<void> };
  beforeAll(async () => {
    pictures = await servePictures();
    // The pictures are on this machine, which the guard refuses otherwise.
    desk = await openDesk({ outgoing: guardedFetch({ allowPrivateNetwork: true }) });
    const { editor: one, viewer: another } = desk.world.people;
    [editor, viewer] = [await desk.as(one), await desk.as(another)];
  });
  afterAll(async () => {
    await desk.close();
    await pictures.close();
  });

  const image = { name: "The [dot].png", contentType: "image/png" };

  it("attaches bytes to a document and returns the Markdown to put into it", {
    meta: { proves: ["mcp.upload-image", "mcp.upload-or-url", "decision.tools.upload"] },
  }, async () => {
    const { id } = desk.world.documents.guide;
    const { data } = await editor.call("upload_image", {
      ...image,
      documentId: id,
      dataBase64: dot.toString("base64"),
    });
    expect(data).toEqual({
      url: expect.stringMatching(/^http:\/\/localhost:3000\/files\/[\w-]+\/The%20%5Bdot%5D\.png$/),
      markdown: `![The \\[dot\\]](${data.url})`,
    });
    const [row] = await desk.world.service.database.client.attachment.findMany({
      where: { teamId: desk.world.teamId, documentId: id },
    });
    expect(row).toMatchObject({
      name: image.name,
      contentType: "image/png",
      status: "ready",
      size: BigInt(dot.length),
    });
    const appended = await editor.call("append_to_document", { id, markdown: String(data.markdown) });
    expect(appended.code).toBeNull();
    const read = await editor.call("get_document", { id });
    expect(read.data.markdown).toContain(data.markdown);
  });

  it("fetches an image from an address that is reachable from outside", {
    meta: { proves: ["mcp.upload-or-url"] },
  }, async () => {
    for (const path of ["/dot.png", "/moved"]) {
      const { data } = await editor.call("upload_image", { ...image, url: pictures.url + path });
      expect(data.url, path).toMatch(/\/files\//);
    }
  });

  it("says why an address gives no image", async () => {
    const reasons: [string, RegExp][] = [
      ["/round", /^INVALID_PARAMETERS: url: .*redirects/],
      ["/missing", /^INVALID_PARAMETERS: url: .*404/],
      ["/large", /^TOO_LARGE: The file is larger than 5 MB\. .*uploadUrl/],
      ["/page", /image\/png/],
    ];
    for (const [path, message] of reasons) {
      expect((await editor.call("upload_image", { ...image, url: pictures.url + path })).text, path).toMatch(message);
    }
    for (const url of ["file:///etc/passwd", "nonsense", "ftp://example.com/a.png"]) {
      expect((await editor.call("upload_image", { ...image, url })).code, url).toBe("INVALID_PARAMETERS");
    }
  });

  it("never fetches from a private network", { meta: { proves: ["decision.tools.upload"] } }, async () => {
    const guarded = await openDesk({ outgoing: guardedFetch() });
    const assistant = await guarded.as(guarded.world.people.editor);
    for (const url of [
      `${pictures.url}/dot.png`,
      "http://169.254.169.254/latest/meta-data",
      "http://[::1]/",
      "http://10.0.0.1/",
    ]) {
      expect((await assistant.call("upload_image", { ...image, url })).code, url).toBe("INVALID_PARAMETERS");
    }
    await guarded.close();
  });

  it("with neither gives an address to send the file to, and a curl line that no file name can turn", {
    meta: { proves: ["decision.tools.upload"] },
  }, async () => {
    const { data } = await editor.call("upload_image", { ...image, name: "it's; rm -rf ~.png" });
    expect(data).toMatchObject({
      uploadUrl: expect.stringContaining("/api/attachments.upload/"),
      url: expect.stringContaining("/files/"),
      expiresAt: expect.stringMatching(/Z$/),
    });
    expect(data.curl).toBe(
      `curl -fsS -X PUT -H 'Content-Type: image/png' --data-binary '@it'\\''s; rm -rf ~.png' '${data.uploadUrl}'`,
    );
  });

  it("what is no image, no base64, too large, or both at once is refused", async () => {
    const refused: [object, string, RegExp][] = [
      [{ dataBase64: "not base64!" }, "INVALID_PARAMETERS", /dataBase64: Must be base64/],
      [{ dataBase64: Buffer.from("<svg/>").toString("base64") }, "INVALID_PARAMETERS", /image\/png/],
      [{ dataBase64: "A".repeat(7_000_000) }, "TOO_LARGE", /uploadUrl/],
      [{ dataBase64: "AAAA", url: "https://example.com/a.png" }, "INVALID_PARAMETERS", /not both/],
      [{ contentType: "text/html" }, "INVALID_PARAMETERS", /contentType/],
      [{ documentId: desk.world.documents.secret.id }, "NOT_FOUND", /Document/],
    ];
    for (const [input, code, message] of refused) {
      const answer = await editor.call("upload_image", { ...image, ...input });
      expect([answer.code, answer.text], JSON.stringify(input).slice(0, 60)).toEqual([
        code,
        expect.stringMatching(message),
      ]);
    }
    expect((await viewer.call("upload_image", { ...image, dataBase64: dot.toString("base64") })).code).toBe(
      "FORBIDDEN",
    );
  });

  it("an empty dataBase64 or url is none", async () => {
    const { data } = await editor.call("upload_image", { ...image, documentId: "", dataBase64: "", url: "" });
    expect(data).toHaveProperty("uploadUrl");
  });

  it("upload_file attaches a file of any type and returns a link to it; without bytes, an address and a curl line", {
    meta: { proves: ["decision.tools.upload-file"] },
  }, async () => {
    const file = { name: "Plan [2].pdf", contentType: "application/pdf" };
    const dataBase64 = Buffer.from("%PDF-1.4\n%%EOF").toString("base64");
    const { data } = await editor.call("upload_file", { ...file, dataBase64 });
    expect(data.markdown).toBe(`[Plan \\[2\\].pdf](${data.url})`);
    const { data: ticket } = await editor.call("upload_file", file);
    expect(ticket).toMatchObject({ uploadUrl: expect.any(String), curl: expect.stringContaining("application/pdf") });
    const picture = await editor.call("upload_file", { ...image, dataBase64: dot.toString("base64") });
    expect(picture.data.markdown).toMatch(/^!\[/);
    // The first bytes have to match the type, and only upload_image fetches.
    const wrong = await editor.call("upload_file", { ...file, contentType: "image/png", dataBase64 });
    expect(wrong.code).toBe("INVALID_PARAMETERS");
    expect((await editor.call("upload_file", { ...file, url: "https://example.com/a.pdf" })).code).toBe(
      "INVALID_PARAMETERS",
    );
    expect((await viewer.call("upload_file", { ...file, dataBase64 })).code).toBe("FORBIDDEN");
  });
});

/** A host of pictures, and of what looks like them. */
async function servePictures(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    switch (request.url) {
      case "/dot.png":
        return response.end(dot);
      case "/moved":
        return response.writeHead(302, { location: "/dot.png" }).end();
      case "/round":
        return response.writeHead(302, { location: "/round" }).end();
      case "/large":
        return response.end(Buffer.alloc(6 * 1024 * 1024, 1));
      case "/page":
        return response.end("<!doctype html>");
      default:
        return response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = portOf(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function portOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address;
}
