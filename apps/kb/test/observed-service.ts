import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { admin } from "@kb/core";
import { createWorld, type Person, testSecret, type World } from "@kb/core/testing";
import type { ConnectOptions, Database } from "@kb/db";
import { freePort, testDatabase } from "@kb/db/testing";
import { createLogger } from "@kb/runtime";
import { openTelemetry, type Telemetry } from "@kb/telemetry";
import { readScrape, type Scrape } from "@kb/testing";
import { readSettings } from "../src/env.ts";
import { serveAll } from "../src/start/serve.ts";

/** The whole service on a real port, with a world, its log, its traces and its metrics. */
export type ObservedService = {
  readonly url: string;
  readonly world: World;
  readonly database: Database;
  readonly telemetry: Telemetry;
  /** The log, line by line. */
  readonly lines: readonly Record<string, unknown>[];
  /** Sends a request with the key of a person, or without credentials. */
  send(who: Person | null, method: string, path: string, init?: { json?: unknown; headers?: object }): Promise<Sent>;
  scrape(): Promise<Scrape>;
  close(): Promise<void>;
};

export type Sent = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly tookMs: number;
};

/** Serves a new world like `kb start`, with the given environment. */
export async function startObservedService(
  environment: Record<string, string>,
  options: Partial<ConnectOptions> = {},
): Promise<ObservedService> {
  const dataDir = mkdtempSync(join(tmpdir(), "kb-observed-"));
  const settings = readSettings({
    PORT: String(await freePort()),
    KB_DATA_DIR: dataDir,
    APP_SECRET: testSecret,
    RATE_LIMIT_PER_MINUTE: "1000000",
    RATE_LIMIT_SESSION_PER_MINUTE: "1000000",
    RATE_LIMIT_PAGES_PER_MINUTE: "1000000",
    WEBHOOK_ALLOW_PRIVATE_NETWORK: "true",
    ...environment,
  });
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logger = createLogger({ app: "kb", level: "info", destination });
  const telemetry = await openTelemetry(settings.telemetry, { service: "kb", version: "0.0.0-test", logger });
  const { database, url: databaseUrl, drop } = await testDatabase({ applicationName: "kb", telemetry, ...options });
  const world = await createWorld(database);
  await admin.setMcp(world.service, world.teamId, true);
  const serving = await serveAll(settings, testSecret, { database, databaseUrl }, { logger, telemetry });
  const url = `http://127.0.0.1:${settings.port}`;
  return {
    url,
    world,
    database,
    telemetry,
    lines,
    send: async (who, method, path, { json, headers } = {}) => {
      const startedAt = performance.now();
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: {
          ...(who === null ? {} : { Authorization: `Bearer ${who.key}` }),
          ...(json === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, text, tookMs: performance.now() - startedAt };
    },
    scrape: async () => {
      const answer = await fetch(`http://127.0.0.1:${telemetry.metricsPort}/metrics`);
      if (answer.status !== 200) throw new Error(`/metrics responded with ${answer.status}`);
      return readScrape(await answer.text());
    },
    close: async () => {
      await serving.close();
      await telemetry.close();
      await drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The headers of an assistant that uses sessions. */
export const mcpHeaders = {
  Accept: "application/json, text/event-stream",
  "MCP-Protocol-Version": "2025-11-25",
};

/** Begins a session of an assistant. Returns its id. */
export async function beginSession(observed: ObservedService): Promise<string> {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const json = { jsonrpc: "2.0", id: 0, method: "initialize", params };
  const { headers } = await observed.send(observed.world.people.editor, "POST", "/api/mcp", {
    json,
    headers: mcpHeaders,
  });
  return headers.get("Mcp-Session-Id") ?? "";
}
