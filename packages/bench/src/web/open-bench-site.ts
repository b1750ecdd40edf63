import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApi } from "@kb/api";
import { createSession } from "@kb/auth";
import { admin, invoke, operations, type Service } from "@kb/core";
import { connect, migrate, startCluster } from "@kb/db";
import { clientIp, type Fetch, openStreaming, serve } from "@kb/http";
import { createLifecycle, createLogger, processLimiter } from "@kb/runtime";
import { chromiumPath, headlessShell, wholeBrowser } from "@kb/testing/chromium-path";
import { createWeb, ensureBuilt } from "@kb/web";
import { type Browser, chromium } from "playwright-core";
import { startApp } from "../api-process.ts";
import { documentOf } from "../document-of.ts";
import { logIn, type Person } from "../live/open-live-site.ts";
import type { ServerProcess } from "../processes.ts";

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
  /** Changes the title of a document, as somebody else does in another window. */
  rename(path: string, title: string): Promise<void>;
  /** Creates people who may write in every document, and logs them in. */
  createWriters(count: number): Promise<readonly Person[]>;
  /** Creates collections without documents. */
  createCollections(count: number): Promise<void>;
  /** Starts the API once more, in a process of its own. The caller stops it. */
  startInstance(): Promise<ServerProcess>;
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
  const site = siteOf(service);
  handler = site.fetch;
  const executablePath = chromiumPath(wholeBrowser, headlessShell);
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const startInstance = () => startApp("api", url, undefined, { APP_URL: origin });
    await use({ origin, service, browser, startInstance, ...(await createReader(service)) });
  } finally {
    await browser.close();
    site.close();
    await server.close();
    await database.close();
  }
}

function siteOf(service: Service): { readonly fetch: Fetch; readonly close: () => void } {
  const logger = createLogger({ app: "bench", level: "silent" });
  const lifecycle = createLifecycle();
  const streaming = openStreaming(service, { lifecycle, logger });
  const shared = {
    service,
    logger,
    lifecycle,
    clientIp: clientIp([]),
    limiter: processLimiter(),
  };
  const api = createApi({ ...shared, streaming, perMinute: 100_000 });
  const web = createWeb(shared);
  return {
    fetch: (request, bindings) =>
      (new URL(request.url).pathname.startsWith("/api/") ? api : web).fetch(request, bindings),
    close: () => streaming.close(),
  };
}

type Reader = Omit<BenchSite, "origin" | "service" | "browser" | "startInstance">;

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
  const createCollections = async (count: number): Promise<void> => {
    for (let number = 1; number <= count; number += 1) {
      await invoke(service, operations.createCollection, actor, { name: `Collection ${number}` });
    }
  };
  const rename = async (path: string, title: string): Promise<void> => {
    await invoke(service, operations.updateDocument, actor, { id: path.slice("/documents/".length), title });
  };
  const createWriters = async (count: number): Promise<readonly Person[]> => {
    await invoke(service, operations.setDefaultAccess, actor, { id: collectionId, defaultAccess: "write" });
    const writers: Person[] = [];
    for (let number = 1; number <= count; number += 1) {
      const email = `writer-${number}@example.com`;
      await admin.createUser(service, { email, name: `Writer ${number}`, group: "Editors" });
      writers.push(await logIn(service, email));
    }
    return writers;
  };
  return { teamId, collectionId, token, createDocument, createCollections, createWriters, rename };
}
