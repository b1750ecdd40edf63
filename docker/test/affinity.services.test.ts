import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

const config = ["--config", join(import.meta.dirname, "../Caddyfile"), "--adapter", "caddyfile"];

/** Starts an instance that answers every request with its name. */
async function startInstance(name: string): Promise<{ server: Server; address: string }> {
  const server = createServer((_, response) => response.end(name));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, address: `127.0.0.1:${portOf(server)}` };
}

/** Returns the port of a listening server. */
function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("The server does not listen on a port");
  return address.port;
}

describe("the proxy in front of two instances of the web app", () => {
  const folder = mkdtempSync(join(tmpdir(), "kb-proxy-"));
  const instances: { server: Server; address: string }[] = [];
  let caddy: ChildProcess | undefined;
  let environment: NodeJS.ProcessEnv;
  let origin = "";

  beforeAll(async () => {
    instances.push(await startInstance("one"), await startInstance("two"));
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${portOf(probe)}`;
    await new Promise((resolve) => probe.close(resolve));
    const web = instances.map(({ address }) => address).join(" ");
    const others = { API_INSTANCES: web, MCP_INSTANCES: web, OAUTH_INSTANCES: web };
    environment = { ...others, PATH: process.env.PATH, HOME: folder, APP_URL: origin, WEB_INSTANCES: web };
    caddy = spawn("caddy", ["run", ...config], { env: environment, stdio: "ignore" });
    await vi.waitFor(() => fetch(origin).then(({ status }) => expect(status).toBe(200)), { timeout: 30_000 });
  });
  afterAll(async () => {
    const ended = new Promise((resolve) => caddy?.once("exit", resolve));
    if (caddy?.kill("SIGTERM") === true) await ended;
    for (const { server } of instances) {
      server.closeAllConnections();
      server.close();
    }
    rmSync(folder, { recursive: true, force: true });
  });

  /** Requests a path as a browser does that has loaded a page before; returns the instance, and the cookies from now on. */
  const get = async (path: string, cookie = ""): Promise<{ instance: string; cookie: string }> => {
    const answer = await fetch(`${origin}${path}`, { headers: { Cookie: cookie } });
    const [named] = answer.headers.getSetCookie().map((each) => each.split(";")[0] ?? "");
    return { instance: await answer.text(), cookie: named ?? cookie };
  };

  it("has a valid configuration", () => {
    expect(String(execFileSync("caddy", ["validate", ...config], { env: environment }))).toContain(
      "Valid configuration",
    );
  });

  it("spreads browsers of one address over both, and keeps each at the instance that sent its page", async () => {
    const seen = new Set<string>();
    for (let browser = 0; browser < 40; browser += 1) {
      const page = await get("/documents/one");
      seen.add(page.instance);
      for (const path of ["/assets/main.js", "/assets/style.css", "/search"]) {
        expect((await get(path, page.cookie)).instance).toBe(page.instance);
      }
    }
    expect([...seen].sort()).toEqual(["one", "two"]);
  });

  it("sends a browser whose instance has stopped to the other one, and keeps it there", async () => {
    let page = await get("/");
    while (page.instance !== "two") page = await get("/");
    const { server } = instances[1] ?? {};
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
    const next = await get("/", page.cookie);
    expect(next.instance).toBe("one");
    expect(next.cookie).not.toBe(page.cookie);
    expect((await get("/assets/main.js", next.cookie)).instance).toBe("one");
  });
});
