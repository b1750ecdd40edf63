import { createServer, type ServerResponse } from "node:http";
import { dot } from "@kb/core/testing";
import { freePort } from "@kb/db/testing";
import { api, type Failure, type One } from "@kb/http/testing";
import { guardedFetch } from "@kb/outgoing";
import { startStopwatch } from "@kb/testing/event-loop-time";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appOf, openSetting, type Setting, unknownId } from "./setting.ts";

type Attachment = { id: string; name: string; contentType: string; size: number; url: string; documentId: string };
type Answer = { status: number; body: One<Attachment> & Failure };

const path = "/api/attachments.copy";
const html = "<!doctype html><script>alert(1)</script>";
const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';

describe("a copy of a picture from another site", () => {
  let setting: Setting;
  let host: Awaited<ReturnType<typeof servePictures>>;
  beforeAll(async () => {
    setting = await openSetting();
    host = await servePictures();
  });
  afterAll(async () => {
    await host.close();
    await setting.close();
  });

  /** The API of a service that may reach the host of pictures and, beside it, public addresses only. */
  const appWith = (service: object = {}, options: Parameters<typeof appOf>[1] = {}) => {
    const open = guardedFetch({ allowPrivateNetwork: true });
    const guarded = guardedFetch();
    const outgoing: typeof open = (url, request) => (url.startsWith(`${host.url}/`) ? open : guarded)(url, request);
    return appOf({ ...setting.world.service, outgoing, ...service }, options);
  };
  const clientOf = (key: string, service: object = {}) => api(appWith(service), key);
  const copy = async (place: string, key = setting.world.people.member.key, service: object = {}): Promise<Answer> => {
    const url = place.startsWith("/") ? host.url + place : place;
    const input = { url, documentId: setting.world.documents.guide.id };
    return clientOf(key, service).post<One<Attachment> & Failure>(path, input);
  };
  const stored = (): Promise<number> =>
    setting.database.client.attachment.count({ where: { teamId: setting.world.teamId } });

  it("is a file of the document, as an upload is, and served from here", {
    meta: { proves: ["web.editor.copy-picture"] },
  }, async () => {
    const { status, body } = await copy("/photos/A%20dot.png?size=large");
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      name: "A dot.png",
      contentType: "image/png",
      size: dot.byteLength,
      documentId: setting.world.documents.guide.id,
      createdById: setting.world.people.member.id,
      status: "ready",
    });
    const served = await setting.app.request(body.data.url);
    expect(Buffer.from(await served.arrayBuffer())).toEqual(Buffer.from(dot));
  });

  it("has a name with an ending that fits its type, however the address is written", async () => {
    for (const [place, name] of [
      ["/picture?id=1", "picture.png"],
      ["/", "picture.png"],
      ["/a%2F..%2Fb.png", "b.png"],
      ["/%ff.png", "%ff.png"],
      ["/page.html", "page.html.png"],
      [`/${"n".repeat(300)}.png`, "picture.png"],
    ] as const) {
      expect((await copy(place)).body.data?.name, place).toBe(name);
    }
  });

  it("follows redirects to public addresses, and says what is wrong with an address", {
    meta: { proves: ["web.editor.copy-picture"] },
  }, async () => {
    expect((await copy("/moved")).body.data?.name).toBe("dot.png");
    const before = await stored();
    const cases: [place: string, reason: string][] = [
      ["/to-private", "refused"],
      ["/to-file", "refused"],
      ["/to-other-port", "refused"],
      ["http://169.254.169.254/latest/meta-data", "refused"],
      ["http://[::ffff:127.0.0.1]/a.png", "refused"],
      ["https://user:secret@example.com/a.png", "refused"],
      ["file:///etc/passwd", "refused"],
      ["nonsense", "refused"],
      ["/round", "redirects"],
      ["/missing", "status"],
      ["/moved-nowhere", "status"],
      ["/hangs-up", "failed"],
    ];
    for (const [place, reason] of cases) {
      const { status, body } = await copy(place);
      expect([status, body.code, body.details?.[0]], place).toMatchObject([
        400,
        "validation_error",
        { path: "url", reason },
      ]);
    }
    // The service does not leave it to what sends the request.
    const { outgoing } = setting.world.service;
    expect((await copy("nonsense", setting.world.people.member.key, { outgoing })).status).toBe(400);
    expect(await stored()).toBe(before);
  });

  it("does not tell a name that does not exist from one of a private network", {
    meta: { proves: ["web.editor.copy-picture"] },
  }, async () => {
    const details: unknown[] = [];
    for (const place of ["http://localhost/a.png", "http://missing.invalid/a.png"]) {
      const { body } = await copy(place);
      const { hostname } = new URL(place);
      details.push(JSON.parse(JSON.stringify([body.error, body.details]).replaceAll(hostname, "NAME")));
    }
    expect(details[1]).toEqual(details[0]);
    expect(JSON.stringify(details[0])).toContain('"reason":"refused"');
  });

  it("is refused unless the bytes are a picture that browsers show safely, whatever the site calls them", async () => {
    const before = await stored();
    for (const place of ["/html-as-png", "/svg", "/pdf-as-png", "/empty"]) {
      const { status, body } = await copy(place);
      expect([status, body.code], place).toEqual([415, "unsupported_media_type"]);
    }
    expect(await stored()).toBe(before);
    expect((await copy("/png-as-html")).body.data?.contentType).toBe("image/png");
  });

  it("is refused above the limit of an upload, also where the body never ends", async () => {
    const { files } = setting.world.service;
    const small = { files: { ...files, maxBytes: 100_000 } };
    for (const place of ["/large", "/endless"]) {
      const { status, body } = await copy(place, setting.world.people.member.key, small);
      expect([status, body.code], place).toEqual([413, "payload_too_large"]);
    }
  });

  it("is found behind a redirect with a body that is larger than this limit", async () => {
    const { files } = setting.world.service;
    const small = { files: { ...files, maxBytes: 100_000 } };
    const { status, body } = await copy("/moved-at-length", setting.world.people.member.key, small);
    expect([status, body.data?.name]).toEqual([200, "dot.png"]);
  });

  it("is refused above the quota of the team", async () => {
    const none = { quotas: { team: { attachments: 0 }, user: {} } };
    const { status, body } = await copy("/dot.png", setting.world.people.member.key, none);
    expect([status, body.details?.[0]?.path]).toEqual([413, "quota"]);
  });

  it("is fetched only for those who may attach files to the document: a hidden one is 404", {
    meta: { proves: ["web.editor.copy-picture"] },
  }, async () => {
    const { people, documents } = setting.world;
    const requests = host.requests();
    const copyTo = async (key: string, documentId: string) =>
      (await clientOf(key).post<Failure>(path, { url: `${host.url}/dot.png`, documentId })).status;
    expect(await copyTo(people.viewer.key, documents.guide.id)).toBe(403);
    expect(await copyTo(people.member.key, documents.secret.id)).toBe(404);
    expect(await copyTo(people.member.key, documents.foreign.id)).toBe(404);
    expect(await copyTo(people.outsider.key, documents.guide.id)).toBe(404);
    expect(await copyTo(people.member.key, unknownId)).toBe(404);
    expect(host.requests()).toBe(requests);
  });

  it("of one user, two are fetched at once, and a third waits; a slow site holds up nothing else of the user", async () => {
    const { people } = setting.world;
    // Callers take turns where they have a budget.
    const app = appWith({}, { budget: { cpuMs: 1_000_000_000, bytes: 1_000_000_000 } });
    const client = api(app, people.editor.key);
    const input = { documentId: setting.world.documents.guide.id };
    const waiting = [1, 2].map((number) =>
      client.post<One<Attachment>>(path, { ...input, url: `${host.url}/slow?${number}` }),
    );
    await expect.poll(() => host.held()).toBe(2);
    // While others are active, the operations of one user take turns, two at a time.
    expect((await api(app, people.member.key).get("/api/v1/documents")).status).toBe(200);
    const elapsedMs = startStopwatch();
    expect((await client.get("/api/v1/documents")).status).toBe(200);
    expect(elapsedMs()).toBeLessThan(5_000);
    const requests = host.requests();
    const waits = () => client.post<One<Attachment> & Failure>(path, { ...input, url: `${host.url}/dot.png` });
    const others = Array.from({ length: 9 }, waits);
    // Eight wait.
    const refused = await Promise.race(others);
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "5"]);
    expect(host.requests()).toBe(requests);
    expect((await copy("/dot.png")).status).toBe(200);
    host.release();
    const copies = (await Promise.all([...waiting, ...others])).filter((answer) => answer !== refused);
    expect(copies.map(({ status }) => status)).toEqual(copies.map(() => 200));
    expect(new Set(copies.map(({ body }) => body.data.id)).size).toBe(10);
    expect((await client.post(path, { ...input, url: `${host.url}/dot.png` })).status).toBe(200);
  });
});

/** A host of pictures, and of what looks like them. `release` answers what is held. */
async function servePictures() {
  const held: ServerResponse[] = [];
  let requests = 0;
  const otherPort = await freePort();
  const png = { "content-type": "image/png" };
  const moved = (response: ServerResponse, location?: string) =>
    response.writeHead(302, location === undefined ? {} : { location }).end();
  const answers: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
    "/moved": (response) => moved(response, "/again"),
    "/moved-at-length": (response) => response.writeHead(302, { location: "/dot.png" }).end(Buffer.alloc(200_000)),
    "/again": (response) => moved(response, "photos/dot.png"),
    "/round": (response) => moved(response, "/round"),
    "/moved-nowhere": (response) => moved(response),
    "/to-private": (response) => moved(response, "http://10.0.0.1/dot.png"),
    "/to-file": (response) => moved(response, "file:///etc/passwd"),
    "/to-other-port": (response) => moved(response, `http://127.0.0.1:${otherPort}/dot.png`),
    "/missing": (response) => response.writeHead(404).end(),
    "/hangs-up": (response) => response.destroy(),
    "/html-as-png": (response) => response.writeHead(200, png).end(html),
    "/png-as-html": (response) => response.writeHead(200, { "content-type": "text/html" }).end(dot),
    "/svg": (response) => response.writeHead(200, { "content-type": "image/svg+xml" }).end(svg),
    "/pdf-as-png": (response) => response.writeHead(200, png).end("%PDF-1.4\n%%EOF"),
    "/empty": (response) => response.writeHead(200, png).end(),
    "/large": (response) => response.end(Buffer.concat([dot, Buffer.alloc(200_000)])),
    "/endless": (response) => {
      const write = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384)));
      };
      response.on("drain", write);
      write();
    },
    "/slow": (response) => held.push(response),
  };
  const server = createServer((request, response) => {
    requests += 1;
    const answer = answers[request.url?.split("?")[0] ?? ""];
    if (answer === undefined) response.end(dot);
    else answer(response);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    held: () => held.length,
    release: () => {
      for (const response of held.splice(0)) response.end(dot);
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
