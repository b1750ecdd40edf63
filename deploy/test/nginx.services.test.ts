import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readAll } from "node:stream/consumers";
import { apiPaths } from "@kb/api";
import { mcpPaths } from "@kb/mcp";
import { oauthPaths } from "@kb/oauth";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Nginx, startNginx } from "./nginx.ts";

const names = ["api", "mcp", "oauth", "web"].flatMap((app) => [`${app}-1`, `${app}-2`]);
const finish = new Map<string, () => void>();

/** Starts an instance that says its name, what it was sent, or one event before it waits. */
async function startInstance(name: string): Promise<{ server: Server; address: string }> {
  const server = createServer(async (request, response) => {
    if (request.url?.includes("stream")) {
      response.writeHead(200, { "Content-Type": "text/event-stream" }).write("data: first\n\n");
      finish.set(request.url, () => response.end("data: last\n\n"));
      return;
    }
    let bytes = 0;
    for await (const chunk of request) bytes += chunk.length;
    response.end(JSON.stringify({ name, bytes, url: request.url, headers: request.headers }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, address: `127.0.0.1:${requireAddress(server).port}` };
}

/** Returns the address of a server that listens on a port. */
function requireAddress(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server does not listen on a port");
  return address;
}

describe("nginx in front of two instances of each app", () => {
  const instances = new Map<string, { server: Server; address: string }>();
  let nginx: Nginx;

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const { request, answer } = nginx.send(path, { headers });
    request.end();
    const response = await answer;
    return { response, seen: JSON.parse(await readAll(response)) };
  };
  const stop = async (name: string): Promise<void> => {
    const { server } = instances.get(name) ?? {};
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
  };

  beforeAll(async () => {
    for (const name of names) instances.set(name, await startInstance(name));
    nginx = await startNginx(new Map([...instances].map(([name, { address }]) => [`${name}:3000`, address])));
    await vi.waitFor(() => get("/"), { timeout: 20_000 });
  });
  afterAll(async () => {
    await nginx.close();
    for (const name of names) await stop(name);
  });

  it("routes each path to its app", async () => {
    const of = (app: string, paths: readonly string[]) =>
      paths.flatMap((path) => [
        [path, app],
        [`${path}/below?a=1`, app],
      ]);
    const api = apiPaths.map((path) => (path === "/api" ? "/api/v1/me" : path));
    const web = ["/", "/documents/one", "/loginx", "/apis", "/docsx", "/.well-known/other"];
    for (const [path = "", app] of [
      ...of("mcp", mcpPaths),
      ...of("oauth", oauthPaths),
      ...of("api", api),
      ...web.map((each) => [each, "web"]),
    ]) {
      const { seen } = await get(path);
      expect([path, seen.name.replace(/-\d$/, ""), seen.url]).toEqual([path, app, path]);
    }
  });

  it("names the client's address itself, and passes on the host and that it was https", async () => {
    const { response, seen } = await get("/api/v1/me", {
      "X-Forwarded-For": "203.0.113.7",
      "X-Forwarded-Proto": "http",
    });
    expect(seen.headers).toMatchObject({
      host: "kb.example.com",
      "x-forwarded-for": "127.0.0.1",
      "x-forwarded-proto": "https",
    });
    expect(response.headers.server).toBe("nginx");
  });

  it("sends the first event of a stream on before the last one exists", async () => {
    for (const path of ["/api/mcp?stream", "/api/v1/stream"]) {
      const { request, answer } = nginx.send(path);
      request.end();
      const response = await answer;
      const [first] = await new Promise<[Buffer]>((resolve) =>
        response.once("data", (chunk: Buffer) => resolve([chunk])),
      );
      expect(String(first)).toBe("data: first\n\n");
      finish.get(path)?.();
      expect(await readAll(response)).toBe("data: last\n\n");
    }
  });

  it("passes on bodies of any size, which the service limits", async () => {
    const { request, answer } = nginx.send("/files/upload", { method: "POST" });
    request.end(Buffer.alloc(40_000_000));
    expect(JSON.parse(await readAll(await answer)).bytes).toBe(40_000_000);
  });

  it("spreads browsers over both instances of the web app, and keeps each at one", async () => {
    const seen = new Set<string>();
    for (let browser = 0; browser < 30; browser += 1) {
      const page = await get("/documents/one");
      const cookie = page.response.headers["set-cookie"]?.[0] ?? "";
      expect(cookie).toMatch(/^kb_web=[0-9a-f]{32}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
      seen.add(page.seen.name);
      const next = await get("/assets/main.js", { Cookie: cookie.split(";")[0] ?? "" });
      expect(next.seen.name).toBe(page.seen.name);
      expect(next.response.headers["set-cookie"]).toBeUndefined();
    }
    expect([...seen].sort()).toEqual(["web-1", "web-2"]);
  });

  it("loses no request when an instance stops, and answers as the service does when none is left", async () => {
    await stop("api-1");
    for (let count = 0; count < 30; count += 1) expect((await get("/api/v1/me")).seen.name).toBe("api-2");
    await stop("api-2");
    const { response, seen } = await get("/api/v1/me");
    expect(response.statusCode).toBe(503);
    expect(response.headers).toMatchObject({ "retry-after": "2", "content-type": "application/json" });
    expect(seen).toEqual({ error: "The service is not available at the moment.", code: "unavailable" });
  });
});
