import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApi } from "@kb/api";
import { createSession } from "@kb/auth";
import { admin, invoke, operations, type Service } from "@kb/core";
import { connect, migrate, startCluster } from "@kb/db";
import { clientIp, type Fetch, serve } from "@kb/http";
import { createLifecycle, createLogger, processLimiter } from "@kb/runtime";
import { createWeb, ensureBuilt } from "@kb/web";
import { type Browser, chromium } from "playwright-core";
import { documentOf } from "../document-of.ts";
import { chromiumPath } from "../env.ts";

/** The app on a database of its own, a reader who is logged in, and a browser. */
export type BenchSite = {
  readonly origin: string;
  readonly service: Service;
  readonly teamId: string;
  readonly collectionId: string;
  /** The cookie value of the reader's session. */
  readonly token: string;
  readonly browser: Browser;
  /** Creates a published document of about this many bytes; returns its path. */
  createDocument(size: number): Promise<string>;
};

/** Opens the app with its API on one origin, calls `use`, and closes everything. */
export async function withBenchSite(use: (site: BenchSite) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kb-bench-"));
  const cluster = await startCluster({ dataDir: join(folder, "data") });
  try {
    await ensureBuilt((line) => console.log(line));
    await migrate(cluster.url);
    await serveSite(cluster.url, use);
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function serveSite(url: string, use: (site: BenchSite) => Promise<void>): Promise<void> {
  const database = connect({ url });
  let handler: Fetch = () => new Response(null, { status: 503 });
  const server = await serve({
    fetch: (request, bindings) => handler(request, bindings),
    hostname: "127.0.0.1",
    port: 0,
    lifecycle: createLifecycle(),
  });
  const origin = `http://127.0.0.1:${server.port}`;
  const service: Service = { database, clock: { now: () => new Date() }, appUrl: origin };
  handler = siteOf(service);
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    await use({ origin, service, browser, ...(await createReader(service)) });
  } finally {
    await browser.close();
    await server.close();
    await database.close();
  }
}

function siteOf(service: Service): Fetch {
  const shared = {
    service,
    logger: createLogger({ app: "bench", level: "silent" }),
    lifecycle: createLifecycle(),
    clientIp: clientIp([]),
    limiter: processLimiter(),
  };
  const api = createApi({ ...shared, perMinute: 100_000 });
  const web = createWeb(shared);
  return (request, bindings) =>
    (new URL(request.url).pathname.startsWith("/api/") ? api : web).fetch(request, bindings);
}

type Reader = Pick<BenchSite, "teamId" | "collectionId" | "token" | "createDocument">;

async function createReader(service: Service): Promise<Reader> {
  const adminEmail = "reader@example.com";
  await admin.createTeam(service, { name: "Bench", adminEmail, adminName: "Reader" });
  const { id: userId, teamId } = await admin.findUser(service, adminEmail);
  const actor = await admin.systemActor(service, teamId, userId);
  const { id: collectionId } = await invoke(service, operations.createCollection, actor, { name: "Documents" });
  const { token } = await createSession(service.database, { teamId, userId }, service.clock.now());
  const createDocument = async (size: number): Promise<string> => {
    const input = { collectionId, title: `A document of ${size / 1_000} kB`, text: documentOf(size), publish: true };
    return `/documents/${(await invoke(service, operations.createDocument, actor, input)).id}`;
  };
  return { teamId, collectionId, token, createDocument };
}
