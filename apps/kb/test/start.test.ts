import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { describeCluster } from "@kb/db";
import { testDatabase } from "@kb/db/testing";
import { type ApiClient, api, type Many, type One, type Page } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MemoryProvider } from "./connect/memory-provider.ts";
import { lines } from "./connect/official-clients.ts";
import { approve } from "./connect/test-service.ts";
import { logIn } from "./log-in.ts";
import { type Home, makeHome, type Started } from "./process.ts";
import { addressesIn, deadAddresses, readWelcomePages } from "./welcome-pages.ts";

type Document = { id: string; title: string; revision: number; tags: string[]; publishedAt: string | null };

let home: Home;
let service: Started;
let client: ApiClient;
let key: string;
let dataDir: string;

beforeAll(async () => {
  home = await makeHome();
  dataDir = join(home.folder, ".data");
  service = await home.start();
  key = /kb_\w{36}/.exec(service.greeting)?.[0] ?? "";
  client = api(home.url, key);
});

afterAll(() => home?.remove());

describe("kb start", { timeout: 60_000 }, () => {
  it("creates a team, an admin, an API key and a welcome collection on its first start", {
    meta: { proves: ["decision.running.first-start"] },
  }, async () => {
    const me = await client.get<One<{ email: string; capabilities: string[] }>>("/api/v1/me");
    expect(me.body.data).toMatchObject({ email: "admin@example.com", capabilities: ["*"] });
    const collections = await client.get<Many<{ id: string; name: string }>>("/api/v1/collections");
    expect(collections.body.data.map(({ name }) => name)).toEqual(["Welcome"]);
    const documents = await client.get<Page<Document>>("/api/v1/documents?status=published&format=markdown");
    expect(documents.body.data.map(({ title }) => title)).toContain("Start here");
    expect(JSON.stringify(documents.body)).not.toContain("{{");
    expect(documents.body.total).toBe(5);
  });

  it("has five short welcome pages, whose links and requests work as they stand", {
    meta: { proves: ["onboarding.welcome"] },
  }, async () => {
    const pages = await readWelcomePages(client);
    expect(pages).toHaveLength(5);
    const words = pages.map(({ title, markdownText }) => [title, markdownText.split(/\s+/).length] as const);
    expect(words.filter(([, count]) => count < 100 || count > 250)).toEqual([]);
    const addressOf = ({ id }: { id: string }): string => `${home.url}/documents/${id}`;
    const first = pages.filter(({ title }) => title === "Start here");
    const others = pages.filter((page) => !first.includes(page));
    expect(addressesIn(first, home.url)).toEqual(expect.arrayContaining(others.map(addressOf)));
    for (const page of others)
      expect(addressesIn([page], home.url)).toEqual(expect.arrayContaining(first.map(addressOf)));
    const [, password = ""] = /Password (\S+)/.exec(service.greeting) ?? [];
    const cookie = await logIn(home.url, "admin@example.com", password);
    const nowhere = `${home.url}/settings/nowhere`;
    expect(await deadAddresses([...addressesIn(pages, home.url), nowhere], cookie, key)).toEqual([nowhere]);
  });

  it("prints the credentials, a working curl line, and finally `ready` and the URL", async () => {
    const { greeting } = service;
    expect(greeting).toMatch(/Password \w{5}-\w{5}-\w{5}-\w{5}\n/);
    expect(greeting.trimEnd().split("\n").at(-1)).toBe(`ready ${home.url}`);
    const [, header = "", url = ""] = /curl -H "Authorization: ([^"]+)" (\S+)/.exec(greeting) ?? [];
    expect((await fetch(url, { headers: { Authorization: header } })).status).toBe(200);
  });

  it("answers an address that does not exist with a page for a browser and with JSON for a program", async () => {
    const ask = async (path: string, Accept: string): Promise<unknown> => {
      const answer = await fetch(home.url + path, { headers: { Accept } });
      return [answer.status, answer.headers.get("content-type")?.split(";")[0]];
    };
    for (const path of ["/nowhere", "/collections-old/x", "/apix"]) {
      expect(await ask(path, "text/html")).toEqual([404, "text/html"]);
      expect(await ask(path, "application/json")).toEqual([404, "application/json"]);
    }
    expect(await ask("/docs", "text/html")).toEqual([200, "text/html"]);
    expect(await ask("/api/nowhere", "text/html")).toEqual([401, "application/json"]);
  });

  it("lets an assistant without a key discover the server from a 401, and the admin allow it with that password", {
    meta: { proves: ["decision.oauth.foreign-clients"] },
  }, async () => {
    const [, password = ""] = /Password (\S+)/.exec(service.greeting) ?? [];
    const by = { email: "admin@example.com", password };
    for (const line of lines) {
      const provider = new MemoryProvider();
      const mcp = new URL("/api/mcp", home.url);
      const first = line.connect(mcp, provider);
      await expect(first.open()).rejects.toThrow(/unauthorized/i);
      await first.finish(await approve(home.url, provider.lastAsked.href, { by }));
      await first.close();
      const second = line.connect(mcp, provider);
      await second.open();
      expect(await second.call("search", { query: "Markdown" })).toMatchObject({
        structuredContent: { results: expect.arrayContaining([expect.anything()]) },
      });
      await second.close();
    }
  });

  it("accepts that password of the admin until `kb user password` sets another", {
    meta: { proves: ["decision.access.sessions-password"] },
  }, async () => {
    const [, password = ""] = /Password (\S+)/.exec(service.greeting) ?? [];
    const Cookie = await logIn(home.url, "admin@example.com", password);
    const asked = () => client.as(null).send<object>("POST", "/api/auth.me", { headers: { Cookie } });
    expect((await asked()).status).toBe(200);
    await home.json(["user", "password", "--email", "admin@example.com", "--password", "another password"]);
    expect((await asked()).status).toBe(401);
  });

  it("lets a person log in by the commands of the documentation", async () => {
    const PASSWORD = "a password for the documentation";
    await home.json(["user", "password", "--email", "admin@example.com", "--password", PASSWORD]);
    const page = await (await fetch(`${home.url}/docs`)).text();
    const [, block = ""] = /id="log-in".*?<pre><code>(.*?)<\/code>/s.exec(page) ?? [];
    const commands = block.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
    const ask = `curl -s -b cookies.txt "${home.url}/api/team.info" -X POST -H "Origin: ${home.url}" -H "X-CSRF-Token: $CSRF"`;
    const { stdout } = await promisify(execFile)("bash", ["-c", `${commands}\n${ask}`], {
      cwd: home.folder,
      env: { PATH: process.env.PATH, EMAIL: "admin@example.com", PASSWORD },
    });
    expect(JSON.parse(stdout.slice(stdout.lastIndexOf('{"data"')))).toMatchObject({ data: { name: "My team" } });
  });

  it("hides secret files from the other users of the machine", () => {
    expect(statSync(dataDir).mode & 0o077).toBe(0);
    expect(statSync(join(dataDir, "app.secret")).mode & 0o077).toBe(0);
  });

  it("allows commands on its own database while it runs", {
    meta: { proves: ["decision.running.kb-info"] },
  }, async () => {
    const info = await home.json(["info"]);
    expect(await home.json(["info"], { PORT: "1", APP_URL: "" })).toMatchObject({ url: home.url });
    expect(info).toEqual({
      url: home.url,
      databaseUrl: describeCluster(dataDir)?.url,
      dataDir,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      quotas: expect.anything(),
      storage: expect.anything(),
      mails: { pending: 0, sent: 0, failed: 0, withdrawn: 0 },
    });
    const { key } = await home.json(["key", "create", "--user", "admin@example.com", "--scopes", "read"]);
    expect((await client.as(String(key)).get("/api/v1/documents")).status).toBe(200);
  });

  it("rejects a second start on the same folder, and names the running process", {
    meta: { proves: ["decision.running.second-start"] },
  }, async () => {
    const { code, stdout, stderr } = await home.kb(["start"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(new RegExp(`already running on ${dataDir}: process ${service.pid} at ${home.url}`));
  });

  it("recovers every acknowledged write after kill -9 of the process", {
    meta: { proves: ["decision.running.kill"] },
  }, async () => {
    const written = await write("Written before the kill");
    await service.end("SIGKILL");
    service = await home.start();
    expect(service.greeting).not.toContain("kb_");
    expect(await titleOf(written)).toBe("Written before the kill");
  });

  it("recovers every acknowledged write after kill -9 of its PostgreSQL too", async () => {
    const written = await write("Written before both were killed");
    const postmaster = describeCluster(dataDir)?.pid ?? 0;
    process.kill(postmaster, "SIGKILL");
    await service.end("SIGKILL");
    service = await home.start();
    expect(await titleOf(written)).toBe("Written before both were killed");
  });

  it("restarts its PostgreSQL after a crash, and continues to serve", async () => {
    const written = await write("Written before the database was killed");
    const killed = describeCluster(dataDir)?.pid ?? 0;
    process.kill(killed, "SIGKILL");
    const during = await client.get<{ code?: string }>(`/api/v1/documents/${written}`);
    if (during.status !== 200) {
      expect(during).toMatchObject({ status: 503, body: { code: "unavailable" } });
      expect(Number(during.headers.get("Retry-After"))).toBeGreaterThan(0);
    }
    // Until they notice, the processes of the killed one answer.
    const atMost = { timeout: 40_000, interval: 50 };
    await expect.poll(() => describeCluster(dataDir)?.pid ?? killed, atMost).not.toBe(killed);
    await expect.poll(async () => (await client.get(`/api/v1/documents/${written}`)).status, atMost).toBe(200);
    expect(await titleOf(written)).toBe("Written before the database was killed");
    await write("Written after it came back");
  });

  it("answers open requests, stops PostgreSQL cleanly and exits with 0 on SIGTERM", {
    meta: { proves: ["decision.running.stop"] },
  }, async () => {
    const slow = await halfSent(JSON.stringify({ title: "Sent in two halves", collectionId: await welcome() }));
    const ending = service.end("SIGTERM");
    await refused();
    expect(await slow.finish()).toBe(201);
    expect((await ending).code).toBe(0);
    expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
    expect(existsSync(join(dataDir, "service.lock"))).toBe(false);
  });

  it("stops in the same order if the package manager that runs it is gone", async () => {
    const inShell = await home.startInShell({ npm_lifecycle_event: "start" });
    const { stdout } = await inShell.end("SIGKILL");
    expect(stdout).toMatch(/\nstopping\nstopped\n$/);
    expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
  });

  it("keeps its data between runs, and allows commands while it is stopped", {
    meta: { proves: ["decision.running.kept"] },
  }, async () => {
    expect(await home.json(["mcp", "off"])).toMatchObject({ name: "My team", mcpEnabled: false });
    expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
    expect(await home.json(["info"])).toMatchObject({ databaseUrl: null });
  });
});

describe("a first start that fails", { timeout: 60_000 }, () => {
  it("still prints the credentials, because no later start does", async () => {
    const other = await makeHome();
    const squatter = createServer();
    try {
      const starting = other.kb(["start"]);
      // The port was free when it looked; somebody else takes it while the database is made.
      await expect.poll(() => existsSync(join(other.folder, ".data", "app.secret")), { timeout: 40_000 }).toBe(true);
      await new Promise<void>((listening) =>
        squatter.listen(Number(new URL(other.url).port), "127.0.0.1", () => listening()),
      );
      const { code, stdout, stderr } = await starting;
      expect(code).toBe(1);
      expect(stderr).toContain("is in use by another program");
      expect(stdout).toMatch(/Password \w{5}-/);
      expect(stdout).toMatch(/kb_\w{36}/);
    } finally {
      squatter.close();
      await other.remove();
    }
  });
});

describe("kb start with DATABASE_URL", { timeout: 60_000 }, () => {
  it("uses that PostgreSQL and starts none of its own", async () => {
    const test = await testDatabase();
    const other = await makeHome({ DATABASE_URL: test.url, KB_ADMIN_PASSWORD: "chosen by me" });
    try {
      const { greeting } = await other.start();
      expect(greeting).toContain("(from KB_ADMIN_PASSWORD)");
      expect(greeting).not.toContain("chosen by me");
      const { status } = await api(other.url, /kb_\w{36}/.exec(greeting)?.[0] ?? "").get("/api/v1/me");
      expect(status).toBe(200);
      expect(existsSync(join(other.folder, ".data", "postgres"))).toBe(false);
    } finally {
      await other.remove();
      await test.drop();
    }
  });
});

async function welcome(): Promise<string> {
  const collections = await client.get<Many<{ id: string }>>("/api/v1/collections");
  return collections.body.data[0]?.id ?? "";
}

async function write(title: string): Promise<string> {
  const document = { title, collectionId: await welcome(), text: "Kept." };
  const created = await client.post<One<Document>>("/api/v1/documents", document);
  expect(created.status).toBe(201);
  return created.body.data.id;
}

async function titleOf(id: string): Promise<string> {
  return (await client.get<One<Document>>(`/api/v1/documents/${id}`)).body.data.title;
}

/** Sends the first half of a document; `finish` sends the second and returns the status of the answer. */
async function halfSent(body: string): Promise<{ finish: () => Promise<number | undefined> }> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json", "Content-Length": body.length };
  const outgoing = request(`${home.url}/api/v1/documents`, { method: "POST", headers });
  const answered = once(outgoing, "response");
  const half = Math.floor(body.length / 2);
  await new Promise((sent) => outgoing.write(body.slice(0, half), sent));
  return {
    finish: async () => {
      outgoing.end(body.slice(half));
      const [response] = await answered;
      return response.statusCode;
    },
  };
}

/** Resolves once the service takes no new connection. */
async function refused(): Promise<void> {
  while (
    await fetch(`${home.url}/api/health?live=1`).then(
      () => true,
      () => false,
    )
  );
}
