import { createServer, type Server } from "node:net";
import { sweep } from "@kb/core";
import { guardedFetch, type Outgoing, OutgoingError } from "@kb/outgoing";
import { processLimiter } from "@kb/runtime";
import { type AppSite, appSite } from "@kb/testing/app-site";
import { startStopwatch } from "@kb/testing/event-loop-time";
import { privateOrigins } from "@kb/testing/private-origins";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClients } from "../src/clients/clients.ts";
import { OauthError } from "../src/oauth-error.ts";
import { authorizePathOf, type TestClient } from "./consenting.ts";
import { openSetting, type Setting } from "./setting.ts";

let setting: Setting;
let site: AppSite;
beforeAll(async () => {
  setting = await openSetting();
  site = await appSite();
});
afterAll(async () => {
  await site.close();
  await setting.close();
});
beforeEach(async () => {
  setting.clock.advance(25 * 3_600_000);
  site.requestedPaths.length = 0;
  await setting.world.service.database.client.oauthClient.deleteMany();
});

const publicOnly = guardedFetch();
const anywhere = guardedFetch({ allowPrivateNetwork: true });
/** As always, but that the app's site is near. */
const outgoing: Outgoing = (url, request) => {
  const near = site.localUrlOf(url);
  return near === undefined ? publicOnly(url, request) : anywhere(near, request);
};

const instance = (fetching = outgoing) =>
  createClients({
    service: setting.world.service,
    outgoing: fetching,
    limiter: processLimiter({ now: () => setting.clock.now().getTime() }),
  });
/** Where requests come from. */
const from = "203.0.113.1";
const rows = () => setting.world.service.database.client.oauthClient.findMany();

/** Returns the error page for a client that cannot be fetched; nothing of it is stored. */
async function refusal(clientId: string, clients = instance()): Promise<string> {
  const error = await clients.find(clientId, from).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof OauthError)) throw new Error(`${clientId} was not refused: ${String(error)}`);
  expect(await rows()).toEqual([]);
  return `${error.code}: ${error.message}`;
}

describe("a client with a metadata document (Client ID Metadata Document)", () => {
  it("§4: has the properties of its document", { meta: { proves: ["decision.oauth.documents"] } }, async () => {
    const id = site.serve({
      client_name: "An\u202e app",
      client_uri: "https://app.example/about",
      redirect_uris: ["https://app.example/callback", "http://127.0.0.1/callback"],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      unknown: { more: 1 },
    });
    const clients = instance();
    const expected = {
      id,
      kind: "document",
      name: "An app",
      clientUri: "https://app.example/about",
      secretHash: null,
      redirectUris: ["https://app.example/callback", "http://127.0.0.1/callback"],
      authentication: "none",
    };
    expect(await clients.find(id, from)).toEqual(expected);
    expect(await clients.find(id, from)).toEqual(expected);
    expect(await instance().findStored(id)).toEqual(expected);
    expect(site.requestedPaths).toEqual(["/client.json"]);
  });

  it("§4: the document MUST have a client_id equal to its URL, by simple string comparison", async () => {
    for (const other of [
      undefined,
      7,
      "https://app.example/other",
      "https://app.example/client.json?",
      "HTTPS://app.example/client.json",
    ]) {
      const id = site.serve({ client_id: other });
      expect(await refusal(id)).toBe(
        `invalid_client: The app's metadata document ${id} cannot be used: its client_id is not its own address.`,
      );
    }
  });

  it("§4: the document MUST be served with 200; every other status is an error and is not cached", async () => {
    const id = site.serve();
    for (const status of [201, 204, 304, 400, 403, 404, 410, 500, 503]) {
      site.answer((_request, response) => response.writeHead(status, { "Content-Type": "application/json" }).end());
      expect(await refusal(id)).toContain(`the status is ${status} instead of 200`);
    }
    site.serve();
    expect(await instance().find(id, from)).toMatchObject({ id });
  });

  it("§5: redirects MUST NOT be followed", { meta: { proves: ["decision.oauth.document-fetch"] } }, async () => {
    const id = site.serve();
    for (const status of [301, 302, 303, 307, 308]) {
      site.answer((_request, response) => response.writeHead(status, { Location: "/moved.json" }).end());
      expect(await refusal(id)).toContain(`the status is ${status}`);
    }
    expect(site.requestedPaths).toEqual(Array.from({ length: 5 }, () => "/client.json"));
  });

  it("§4: the document is JSON of any JSON content type", async () => {
    for (const type of [
      "application/json",
      "application/json; charset=utf-8",
      "Application/JSON",
      "application/cimd+json",
    ]) {
      expect(
        await instance().find(site.serve({}, { "Content-Type": type, "Cache-Control": "no-store" }), from),
      ).not.toBeNull();
      setting.clock.advance(60_000);
    }
    await setting.world.service.database.client.oauthClient.deleteMany();
    for (const type of ["text/html", "text/plain", "application/jsonp", "application/xml", "text/json"]) {
      expect(await refusal(site.serve({}, { "Content-Type": type }))).toContain("its type is not application/json");
    }
    for (const body of ["", "[]", "null", "{", '"x"', "<html>", Buffer.from([0x7b, 0xff, 0x7d])]) {
      site.answer((_request, response) => response.writeHead(200, { "Content-Type": "application/json" }).end(body));
      expect(await refusal("https://app.example/client.json")).toContain("it is not a JSON object");
    }
  });

  it("§4.1: the document MUST NOT have a secret or a method that is based on one", async () => {
    const methods = ["client_secret_post", "client_secret_basic", "client_secret_jwt", "private_key_jwt", 7];
    for (const method of methods) {
      expect(await refusal(site.serve({ token_endpoint_auth_method: method }))).toContain("token_endpoint_auth_method");
    }
    expect(await refusal(site.serve({ client_secret: "x" }))).toContain("it must not contain client_secret");
    expect(await refusal(site.serve({ client_secret_expires_at: 0 }))).toContain(
      "it must not contain client_secret_expires_at",
    );
  });

  it("§4.2: its redirect URIs follow the same rules as those of a registration", {
    meta: { proves: ["decision.oauth.redirect-uris"] },
  }, async () => {
    for (const redirect_uris of [
      undefined,
      [],
      "https://app.example/callback",
      ["javascript:alert(1)"],
      ["http://app.example/"],
    ]) {
      expect(await refusal(site.serve({ redirect_uris }))).toMatch(/cannot be used: /);
    }
    expect(await refusal(site.serve({ redirect_uris: ["http://app.example/cb"] }))).toContain(
      "http is accepted only for localhost",
    );
  });

  it("MCP authorization, client registration: its required fields are client_id, client_name and redirect_uris", async () => {
    for (const client_name of [undefined, null, "", " \u202e "]) {
      expect(await refusal(site.serve({ client_name }))).toContain("it has no client_name");
    }
    expect(await refusal(site.serve({ redirect_uris: undefined }))).toContain("redirect_uris is missing");
    expect(await refusal(site.serve({ client_id: undefined }))).toContain("its client_id is not its own address");
  });

  it("§3: an id that is not a valid document URL is not fetched", async () => {
    for (const id of [
      "https://app.example",
      "http://app.example/client.json",
      "https://app.example/a/../b",
      "https://u@app.example/b",
    ]) {
      expect(await refusal(id)).toMatch(
        /^invalid_client: The client_id is not the address of a metadata document: its? /,
      );
    }
    expect(site.requestedPaths).toEqual([]);
  });
});

describe("the fetch of a document", () => {
  it("reads at most 5 KB", { meta: { proves: ["decision.oauth.document-fetch"] } }, async () => {
    const padding = (bytes: number) => ({ client_name: "x".repeat(bytes) });
    expect(await instance().find(site.serve(padding(4_800)), from)).not.toBeNull();
    await setting.world.service.database.client.oauthClient.deleteMany();
    expect(await refusal(site.serve(padding(5_120)))).toContain("more than 5120 bytes");
  });

  it("times out after 5 seconds, even if bytes still arrive", {
    meta: { proves: ["decision.oauth.document-fetch"] },
  }, async () => {
    site.answer((_request, response) => {
      response.writeHead(200, { "Content-Type": "application/json" });
      const drip = setInterval(() => response.write(" "), 200);
      response.on("close", () => clearInterval(drip));
    });
    const startedAt = performance.now();
    const elapsedMs = startStopwatch();
    expect(await refusal("https://app.example/client.json")).toContain("did not answer in time");
    expect(performance.now() - startedAt).toBeGreaterThan(4_500);
    expect(elapsedMs()).toBeLessThan(8_000);
  });

  it("happens once for concurrent requests and while the document is fresh", {
    meta: { proves: ["decision.oauth.document-cache"] },
  }, async () => {
    const id = site.serve({ client_name: "before" }, { "Cache-Control": "max-age=120" });
    const clients = instance();
    const found = await Promise.all(Array.from({ length: 20 }, () => clients.find(id, from)));
    expect(new Set(found.map((client) => client?.name))).toEqual(new Set(["before"]));
    site.serve({ client_name: "after" }, { "Cache-Control": "max-age=120" });
    setting.clock.advance(119_999);
    expect(await instance().find(id, from)).toMatchObject({ name: "before" });
    expect(site.requestedPaths).toHaveLength(1);
    setting.clock.advance(1);
    expect(await clients.find(id, from)).toMatchObject({ name: "after" });
    expect(site.requestedPaths).toHaveLength(2);
  });

  it.each([
    ["no-store", 60],
    ["max-age=5", 60],
    ["max-age=31536000", 86_400],
    [undefined, 3_600],
  ])(
    "Cache-Control %j: repeats after %i seconds",
    { meta: { proves: ["decision.oauth.document-cache"] } },
    async (control, seconds) => {
      const id = site.serve({}, control === undefined ? {} : { "Cache-Control": control });
      await instance().find(id, from);
      setting.clock.advance(seconds * 1_000 - 1);
      await instance().find(id, from);
      expect(site.requestedPaths).toHaveLength(1);
      setting.clock.advance(1);
      await instance().find(id, from);
      expect(site.requestedPaths).toHaveLength(2);
    },
  );

  it("§5.2: errors and malformed documents MUST NOT be cached, and no earlier document replaces them", async () => {
    const id = site.serve({}, { "Cache-Control": "max-age=60" });
    const clients = instance();
    await clients.find(id, from);
    setting.clock.advance(60_000);
    site.answer((_request, response) => response.writeHead(500).end());
    await expect(clients.find(id, from)).rejects.toThrow("the status is 500");
    site.serve({ redirect_uris: ["https://app.example/new"] });
    expect(await clients.find(id, from)).toMatchObject({ redirectUris: ["https://app.example/new"] });
  });

  it("is not needed for the tokens of a known client", {
    meta: { proves: ["decision.oauth.documents"] },
  }, async () => {
    const id = site.serve({}, { "Cache-Control": "max-age=60" });
    expect(await instance().findStored(id)).toBeNull();
    await instance().find(id, from);
    setting.clock.advance(120_000);
    expect(await instance().findStored(id)).toMatchObject({ id });
    expect(site.requestedPaths).toHaveLength(1);
  });

  it("is limited to ten a minute per origin", {
    meta: { proves: ["decision.oauth.document-fetch"] },
  }, async () => {
    site.answer((_request, response) => response.writeHead(404).end());
    const clients = instance();
    for (let index = 0; index < 10; index += 1) {
      expect(await refusal(`https://app.example/${index}`, clients)).toContain("the status is 404");
    }
    await expect(clients.find("https://app.example/10", from)).rejects.toMatchObject({
      code: "too_many_requests",
      status: 429,
    });
    expect(site.requestedPaths).toHaveLength(10);
    setting.clock.advance(60_000);
    expect(await refusal("https://app.example/10", clients)).toContain("the status is 404");
  });

  it("still succeeds for an app in use after other documents exhausted the limit of its origin", {
    meta: { proves: ["decision.oauth.document-fetch"] },
  }, async () => {
    const clients = instance();
    const id = site.serve({}, { "Cache-Control": "max-age=60" });
    await clients.find(id, from);
    const { client } = setting.world.service.database;
    await client.oauthClient.update({ where: { id }, data: { lastUsedAt: setting.clock.now() } });
    setting.clock.advance(60_000);
    for (let index = 0; index < 11; index += 1) {
      const other = `${new URL(id).origin}/other/${index}`;
      await expect(clients.find(other, "203.0.113.2"), other).rejects.toThrow(OauthError);
    }
    await expect(clients.find(`${new URL(id).origin}/new`, from)).rejects.toMatchObject({ status: 429 });
    expect(await clients.find(id, from)).toMatchObject({ id });
  });

  it("does not wait for a client address that exceeds its limit", {
    meta: { proves: ["decision.oauth.document-fetch"] },
  }, async () => {
    const clients = instance();
    const id = site.serve();
    for (let index = 0; index < 30; index += 1) {
      await expect(clients.find(`https://127.0.0.1:${8_000 + index}/x`, "203.0.113.2")).rejects.toMatchObject({
        status: 401,
      });
    }
    const flooding = expect(clients.find(id, "203.0.113.2")).rejects.toMatchObject({ status: 429 });
    expect(await clients.find(id, from)).toMatchObject({ id });
    await flooding;
  });

  it("is rejected for this service's own host, where members can upload files", {
    meta: { proves: ["decision.oauth.documents"] },
  }, async () => {
    for (const id of ["https://localhost/files/x/client.json", "https://localhost:8443/files/x/client.json"]) {
      expect(await refusal(id)).toContain("it is on the host of this service");
    }
    expect(site.requestedPaths).toHaveLength(0);
  });

  it("is limited to 30 a minute per client address over all origins, which prevents scans of the Internet", {
    meta: { proves: ["decision.oauth.document-fetch"] },
  }, async () => {
    const reached: string[] = [];
    const clients = instance(async (url) => {
      reached.push(url);
      throw new OutgoingError("failed", "nobody is there.");
    });
    for (let index = 0; index < 30; index += 1) {
      expect(await refusal(`https://host${index}.example/client.json`, clients)).toContain("nobody is there");
    }
    await expect(clients.find("https://host30.example/client.json", from)).rejects.toMatchObject({ status: 429 });
    expect(reached).toHaveLength(30);
    await expect(clients.find("https://host30.example/client.json", "203.0.113.2")).rejects.toThrow("nobody is there");
  });

  it("an unused document is deleted after 48 hours", {
    meta: { proves: ["decision.oauth.clients-swept"] },
  }, async () => {
    await instance().find(site.serve(), from);
    setting.clock.advance(48 * 3_600_000 + 1);
    await sweep(setting.world.service, { trashRetentionDays: 0 });
    expect(await rows()).toEqual([]);
  });
});

describe("an authorization request of a client with a document", () => {
  let own: Setting;
  beforeAll(async () => {
    own = await openSetting({ outgoing });
  });
  afterAll(() => own.close());
  const asking = async (client: TestClient, given = {}) => {
    const answer = await own.app.request(`http://localhost:3000${authorizePathOf(client, given)}`);
    return { status: answer.status, location: answer.headers.get("Location"), text: await answer.text() };
  };

  it("continues to the login if the document has its redirect URI", async () => {
    const id = site.serve({ redirect_uris: ["https://app.example/callback", "http://localhost/callback"] });
    for (const redirectUri of ["https://app.example/callback", "http://localhost:50123/callback"]) {
      expect(await asking({ id, redirectUri })).toMatchObject({
        status: 303,
        location: expect.stringMatching(/^\/login\?/),
      });
    }
  });

  it("MCP authorization: redirect URIs MUST be validated against the document: another one is shown to the user and never used", async () => {
    const id = site.serve({ redirect_uris: ["https://app.example/callback"] }, {}, "/strict.json");
    for (const redirectUri of [
      "https://evil.example/callback",
      "https://app.example/callback/",
      "http://localhost/callback",
    ]) {
      expect(await asking({ id, redirectUri })).toMatchObject({ status: 400, location: null });
    }
  });

  it("§5.1: shows an error with a remedy if the document cannot be fetched", {
    meta: { proves: ["decision.oauth.documents"] },
  }, async () => {
    const id = "https://app.example/gone.json";
    site.answer((_request, response) => response.writeHead(404).end());
    const { status, location, text } = await asking({ id, redirectUri: "https://app.example/callback" });
    expect([status, location]).toEqual([expect.toSatisfy((code) => code >= 400 && code < 500), null]);
    expect(text).toContain(`${id} cannot be used: the status is 404 instead of 200.`);
  });
});

describe("a document in the private network", () => {
  let server: Server;
  let port: number;
  let connections = 0;
  beforeAll(async () => {
    server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "::", resolve));
    const address = server.address();
    port = typeof address === "object" && address !== null ? address.port : 0;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => {
    connections = 0;
  });

  it.each(privateOrigins)(
    "%s is rejected without a connection",
    { meta: { proves: ["decision.oauth.document-fetch"] } },
    async (_name, origin) => {
      const id = `${origin.replace("http:", "https:")}:${port}/client.json`;
      expect(await refusal(id, instance(guardedFetch()))).toMatch(/^invalid_client: /);
      // As the address would be if it came in its normal form.
      const normal = URL.parse(id)?.href;
      if (normal !== undefined) expect(await refusal(normal, instance(guardedFetch()))).toMatch(/^invalid_client: /);
      expect(connections).toBe(0);
    },
  );

  it("is fetched if private networks are allowed", async () => {
    const open = instance(guardedFetch({ allowPrivateNetwork: true }));
    expect(await refusal(`https://127.0.0.1:${port}/client.json`, open)).toContain("could not be reached");
    expect(connections).toBe(1);
  });

  it("is not fetched by a name that resolves to a public address first and to a private one later", {
    meta: { proves: ["decision.oauth.document-fetch"] },
  }, async () => {
    let asked = 0;
    const rebinding = guardedFetch({
      resolve: (_hostname, found) => {
        asked += 1;
        found(null, [{ address: asked % 2 === 1 ? "93.184.215.14" : "127.0.0.1", family: 4 }]);
      },
    });
    const mixed = guardedFetch({
      resolve: (_hostname, found) =>
        found(null, [
          { address: "93.184.215.14", family: 4 },
          { address: "127.0.0.1", family: 4 },
        ]),
    });
    const id = `https://rebinding.example:${port}/client.json`;
    // Asked there it is asked nowhere else: nobody listens at that port.
    expect(await refusal(id, instance(rebinding))).toMatch(/could not be reached|did not answer in time/);
    for (const guarded of [rebinding, mixed]) {
      expect(await refusal(id, instance(guarded))).toContain("is not an address of the public Internet");
    }
    expect(connections).toBe(0);
  });
});
