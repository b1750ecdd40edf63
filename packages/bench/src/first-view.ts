import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createApi } from "@kb/api";
import { createSession } from "@kb/auth";
import { admin, invoke, operations, type Service } from "@kb/core";
import { connect, migrate, startCluster } from "@kb/db";
import { clientIp, type Fetch, serve } from "@kb/http";
import { createLifecycle, createLogger, processLimiter } from "@kb/runtime";
import { createWeb, ensureBuilt } from "@kb/web";
import { chromium } from "playwright-core";
import { chromiumPath } from "./env.ts";
import { type FirstView, measureFirstView } from "./measure-first-view.ts";
import { median } from "./median.ts";
import { markdownTable, writeResults } from "./write-results.ts";

const runs = 5;
const sizes = [10_000, 100_000];

/**
 * Measures the first view of documents of 10 kB and 100 kB in Chromium, over slow 4G (150 ms, 1.6 Mbit/s) with a four times
 * slower processor, 412 pixels wide, with nothing cached: medians of five. `--write` writes them to docs/performance.md.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { write: { type: "boolean", default: false } } });
  const folder = mkdtempSync(join(tmpdir(), "kb-bench-"));
  const cluster = await startCluster({ dataDir: join(folder, "data") });
  try {
    await ensureBuilt((line) => console.log(line));
    await migrate(cluster.url);
    const rows = await measureOn(cluster.url);
    const columns = [
      "Document",
      "First paint",
      "Article painted",
      "App usable",
      "Layout shift",
      "JavaScript",
      "All bytes",
      "Requests",
    ];
    const table = markdownTable(columns, rows);
    console.log(table);
    if (values.write) writeResults("first view", "pnpm --filter @kb/bench first-view --write", table);
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureOn(url: string): Promise<string[][]> {
  const database = connect({ url });
  const lifecycle = createLifecycle();
  let handler: Fetch = () => new Response(null, { status: 503 });
  const server = await serve({
    fetch: (request, bindings) => handler(request, bindings),
    hostname: "127.0.0.1",
    port: 0,
    lifecycle,
  });
  const origin = `http://127.0.0.1:${server.port}`;
  const service: Service = { database, clock: { now: () => new Date() }, appUrl: origin };
  handler = siteOf(service);
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const { token, addresses } = await createDocuments(service);
    const rows: string[][] = [];
    for (const [index, address] of addresses.entries()) {
      const views: FirstView[] = [];
      // The first run fills the caches of the service, as the second reader of a document finds them.
      for (let run = 0; run <= runs; run += 1) {
        const view = await measureFirstView(browser, `${origin}${address}`, token);
        if (run > 0) views.push(view);
      }
      rows.push([`${(sizes[index] ?? 0) / 1_000} kB`, ...cellsOf(views)]);
    }
    return rows;
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

async function createDocuments(service: Service): Promise<{ token: string; addresses: string[] }> {
  const { database, clock } = service;
  const adminEmail = "reader@example.com";
  await admin.createTeam(service, { name: "Bench", adminEmail, adminName: "Reader" });
  const { id: userId, teamId } = await admin.findUser(service, adminEmail);
  const actor = await admin.systemActor(service, teamId, userId);
  const { id: collectionId } = await invoke(service, operations.createCollection, actor, { name: "Documents" });
  const addresses: string[] = [];
  for (const size of sizes) {
    const input = { collectionId, title: `A document of ${size / 1_000} kB`, text: documentOf(size), publish: true };
    addresses.push(`/documents/${(await invoke(service, operations.createDocument, actor, input)).id}`);
  }
  const { token } = await createSession(database.client, { teamId, userId }, clock.now());
  return { token, addresses };
}

/** Writes technical documentation of about this many bytes: headings, paragraphs, lists, code and tables. */
function documentOf(size: number): string {
  let text = "";
  for (let n = 1; text.length < size; n += 1) {
    const words = `Step ${n} copies ${n * 7} files to server ${n % 13} and waits until the queue of region ${n % 5} is empty. `;
    text += `## Step ${n}\n\n${words.repeat(4)}\n\n- Check *disk ${n}*.\n- Read [the notes](https://example.com/${n}).\n\n`;
    text += `\`\`\`typescript\nconst step${n} = await run({ name: "step-${n}", retries: ${n % 4} });\n\`\`\`\n\n`;
    if (n % 5 === 0) text += `| Region | Files |\n| --- | ---: |\n| ${n} | ${n * 7} |\n| ${n + 1} | ${n * 9} |\n\n`;
  }
  return text.slice(0, size);
}

function cellsOf(views: readonly FirstView[]): string[] {
  const of = (read: (view: FirstView) => number): number => median(views.map(read));
  const seconds = (read: (view: FirstView) => number): string => `${(of(read) / 1_000).toFixed(2)} s`;
  const kilobytes = (read: (view: FirstView) => number): string => `${(of(read) / 1_000).toFixed(0)} kB`;
  return [
    seconds((view) => view.firstPaintMs),
    seconds((view) => view.articlePaintMs),
    seconds((view) => view.usableMs),
    of((view) => view.layoutShift).toFixed(3),
    kilobytes((view) => view.scriptBytes),
    kilobytes((view) => view.bytes),
    String(of((view) => view.requests)),
  ];
}

await main();
