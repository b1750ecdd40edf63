import { createServer, type Server } from "node:http";
import { operations } from "@kb/core";
import { sessionCallerOf } from "@kb/core/testing";
import { sql } from "@kb/db";
import type { Scrape } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginSession, mcpHeaders, type ObservedService, startObservedService } from "./observed-service.ts";

const requests = "http_server_request_duration_seconds_count";
const route = "/api/v1/documents/{id}";

describe("/metrics", () => {
  let observed: ObservedService;
  let receiver: Server;
  beforeAll(async () => {
    observed = await startObservedService(
      { METRICS_PORT: "0", QUOTA_USER_DOCUMENT_BYTES: "50000000" },
      { poolMax: 2, connectTimeoutMs: 1_500 },
    );
    receiver = createServer((request, response) => {
      request.resume();
      response.writeHead(request.url === "/broken" ? 500 : 200).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    await observed.close();
    receiver.close();
  });

  /** By how much a number grew. */
  async function growth(work: () => Promise<unknown>): Promise<Scrape["sum"]> {
    const before = await observed.scrape();
    await work();
    const after = await observed.scrape();
    return (name, labels) => after.sum(name, labels) - before.sum(name, labels);
  }

  it("probes of the health are counted apart from requests", async () => {
    const grown = await growth(async () => {
      await fetch(`${observed.url}/api/health`);
      await fetch(`${observed.url}/api/health?live=1`);
    });
    expect(grown("kb_http_probe_duration_seconds_count", { http_response_status_code: "200" })).toBe(2);
    expect(grown(requests, { http_route: "/api/health" })).toBe(0);
  });

  it("requests are counted by route, status and code, and operations by outcome", {
    meta: { proves: ["decision.running.metrics"] },
  }, async () => {
    const { editor, viewer } = observed.world.people;
    const { guide } = observed.world.documents;
    const path = `/api/v1/documents/${guide.id}`;
    const grown = await growth(async () => {
      for (let count = 0; count < 5; count += 1) await observed.send(editor, "GET", path);
      await observed.send(editor, "PATCH", path, { json: { title: "Another" } });
      await observed.send(viewer, "PATCH", path, { json: { title: "Mine" } });
      await observed.send(editor, "GET", "/api/v1/documents/00000000-0000-7000-8000-000000000000");
      await observed.send(editor, "PATCH", path, { json: { titel: "Another" } });
    });
    const status = (code: string) => ({ http_route: route, http_response_status_code: code });
    expect(grown(requests, { http_route: route })).toBe(9);
    expect(grown(requests, { ...status("200"), http_request_method: "GET" })).toBe(5);
    expect(grown(requests, { ...status("200"), http_request_method: "PATCH" })).toBe(1);
    expect(grown(requests, { ...status("403"), error_type: "forbidden" })).toBe(1);
    expect(grown(requests, { ...status("404"), error_type: "not_found" })).toBe(1);
    expect(grown(requests, { ...status("400"), error_type: "validation_error" })).toBe(1);
    const operation = (name: string, outcome: string) =>
      grown("kb_operation_duration_seconds_count", { kb_operation_name: name, kb_operation_outcome: outcome });
    expect(operation("documents.get", "ok")).toBe(5);
    expect(operation("documents.get", "not_found")).toBe(1);
    expect(operation("documents.update", "ok")).toBe(1);
    expect(operation("documents.update", "forbidden")).toBe(1);
    expect(operation("documents.update", "validation_error")).toBe(1);
    expect(grown("db_client_operation_duration_seconds_count", { db_collection_name: "documents" })).toBeGreaterThan(8);
    expect((await observed.scrape()).sum("http_server_active_requests")).toBe(0);
  });

  it("refused credentials and failed logins are counted by reason", {
    meta: { proves: ["decision.running.metrics"] },
  }, async () => {
    const wrong = { Authorization: "Bearer kb_no-such-key-anywhere" };
    const grown = await growth(async () => {
      for (let count = 0; count < 3; count += 1) await observed.send(null, "GET", "/api/v1/me", { headers: wrong });
      await observed.send(null, "GET", "/api/v1/me");
      expect(await logInWrongly(observed)).toBe(401);
    });
    const failures = "kb_authentication_failures_total";
    expect(grown(failures, { http_route: "/api/v1/me", error_type: "invalid_api_key" })).toBe(3);
    expect(grown(failures, { http_route: "/api/v1/me", error_type: "authentication_required" })).toBe(1);
    expect(grown(failures, { http_route: "/login" })).toBe(1);
    expect(grown(failures)).toBe(5);
  });

  it("a wait for a connection, a timeout of it, and the pool are measured", {
    meta: { proves: ["decision.running.metrics"] },
  }, async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const grown = await growth(async () => {
      const holders = [1, 2].map(() => observed.database.transaction(() => held));
      await expect.poll(async () => (await observed.scrape()).sum("db_client_connection_count", used)).toBe(2);
      const waiting = observed.send(observed.world.people.editor, "GET", "/api/v1/tags");
      await expect
        .poll(async () => (await observed.scrape()).sum("db_client_connection_pending_requests"))
        .toBeGreaterThan(0);
      expect((await waiting).status).toBe(503);
      release();
      await Promise.all(holders);
    });
    const pool = { db_client_connection_pool_name: "kb" };
    expect(grown("db_client_connection_timeouts_total", pool)).toBeGreaterThanOrEqual(1);
    expect(grown("db_client_connection_wait_time_seconds_sum", pool)).toBeGreaterThan(0.9);
    expect(grown(requests, { http_response_status_code: "503", error_type: "unavailable" })).toBe(1);
    const after = await observed.scrape();
    expect(after.sum("db_client_connection_max", pool)).toBe(2);
    expect(after.sum("db_client_connection_pending_requests", pool)).toBe(0);
  });

  const used = { db_client_connection_state: "used" };

  it("the backlog of the outbox is observed, and each delivery is counted by its outcome", {
    meta: { proves: ["decision.running.metrics", "decision.running.log"] },
  }, async () => {
    const address = receiver.address();
    const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const { people, documents } = observed.world;
    const boss = await sessionCallerOf(observed.world, people.admin);
    for (const path of ["/good", "/broken"]) {
      const webhook = { url: `${origin}${path}`, events: ["*"], collectionIds: [] };
      await boss.run(operations.createWebhook, webhook);
    }
    const deliveries = "kb_webhook_deliveries_total";
    // The worker had no connection either, and looks again after two seconds.
    const patience = { timeout: 10_000 };
    await expect.poll(async () => (await observed.scrape()).sum("kb_outbox_depth"), patience).toBe(0);
    const stored = { kb_storage_kind: "documents" };
    await expect
      .poll(async () => (await observed.scrape()).sum("kb_storage_used_bytes", stored), patience)
      .toBeGreaterThan(0);
    const usage = await observed.scrape();
    for (const holder of ["team", "user"]) {
      const labels = { ...stored, kb_storage_holder: holder };
      expect(usage.sum("kb_storage_most_used_bytes", labels)).toBeGreaterThan(0);
      expect(usage.sum("kb_storage_limit_bytes", labels)).toBe(holder === "user" ? 50_000_000 : 0);
    }
    const json = { title: "News" };
    const grown = await growth(async () => {
      // Another worker has the team's turn: what happens waits.
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      const turn = observed.database.transaction(async (tx) => {
        await tx.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`dispatch:${observed.world.teamId}`}, 0))`);
        await held;
      });
      await observed.send(people.editor, "PATCH", `/api/v1/documents/${documents.guide.id}`, { json });
      await expect.poll(async () => (await observed.scrape()).sum("kb_outbox_depth"), patience).toBe(1);
      expect((await observed.scrape()).sum("kb_outbox_age_seconds")).toBeGreaterThan(0);
      release();
      await turn;
      const sent = () =>
        observed.lines.filter(({ message, eventId }) => message === "delivery" && eventId !== undefined);
      await expect.poll(() => sent().some(({ result }) => result === "retried"), patience).toBe(true);
      await expect.poll(() => sent().some(({ result }) => result === "delivered"), patience).toBe(true);
    });
    expect(grown(deliveries, { kb_webhook_outcome: "delivered" })).toBeGreaterThanOrEqual(1);
    expect(grown(deliveries, { kb_webhook_outcome: "retried" })).toBeGreaterThanOrEqual(1);
    expect(grown("kb_webhook_attempt_duration_seconds_count")).toBe(grown(deliveries));
    const scrape = await observed.scrape();
    const lines = observed.lines.filter(({ message }) => message === "delivery");
    expect(lines).toHaveLength(scrape.sum(deliveries));
    expect(lines.find(({ result }) => result === "retried")).toMatchObject({ status: 500, attempt: 1 });
    expect(JSON.stringify(lines)).not.toContain(origin);
  });

  it("an open event stream is counted until it ends", {
    meta: { proves: ["decision.running.metrics"] },
  }, async () => {
    const id = await beginSession(observed);
    const { key } = observed.world.people.editor;
    const headers = {
      ...mcpHeaders,
      Authorization: `Bearer ${key}`,
      "Mcp-Session-Id": id,
      Accept: "text/event-stream",
    };
    const streams = async () => (await observed.scrape()).sum("kb_http_event_streams", { http_route: "/api/mcp" });
    const hangUp = new AbortController();
    const opened = await fetch(`${observed.url}/api/mcp`, { headers, signal: hangUp.signal });
    expect(opened.status).toBe(200);
    await expect.poll(streams).toBe(1);
    hangUp.abort();
    await expect.poll(streams).toBe(0);
  });

  it("the event loop delay and the memory are measured", {
    meta: { proves: ["decision.running.metrics"] },
  }, async () => {
    const until = performance.now() + 150;
    await observed.scrape();
    await new Promise((resolve) => setTimeout(resolve, 50));
    while (performance.now() < until + 200) JSON.stringify(observed.lines);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const scrape = await observed.scrape();
    expect(scrape.sum("nodejs_eventloop_delay_max_seconds")).toBeGreaterThan(0.1);
    expect(scrape.sum("nodejs_eventloop_utilization")).toBeGreaterThan(0.1);
    expect(scrape.sum("process_memory_usage_bytes")).toBeGreaterThan(50_000_000);
  });

  it("its port serves only /metrics, and no other port serves it", {
    meta: { proves: ["decision.running.metrics"] },
  }, async () => {
    const own = `http://127.0.0.1:${observed.telemetry.metricsPort}`;
    expect((await fetch(`${own}/api/v1/me`)).status).toBe(404);
    expect((await fetch(`${own}/metrics`, { method: "POST" })).status).toBe(405);
    expect((await observed.send(null, "GET", "/metrics")).status).toBe(404);
  });
});

describe("the rate limit", () => {
  it("counts each decision by kind of caller, even if another service runs in the same process", {
    meta: { proves: ["decision.running.metrics"] },
  }, async () => {
    const [observed, other] = await Promise.all([
      startObservedService({ METRICS_PORT: "0", RATE_LIMIT_PER_MINUTE: "5" }),
      startObservedService({ METRICS_PORT: "0" }),
    ]);
    try {
      const statuses: number[] = [];
      for (let count = 0; count < 8; count += 1) {
        statuses.push((await observed.send(observed.world.people.editor, "GET", "/api/v1/me")).status);
      }
      await observed.send(null, "GET", "/api/v1/me");
      await other.send(other.world.people.editor, "GET", "/api/v1/me");
      expect(statuses.filter((status) => status === 429)).toHaveLength(3);
      const decided = async ({ scrape }: ObservedService, outcome: string, subject: string) =>
        (await scrape()).sum("kb_rate_limit_decisions_total", {
          kb_rate_limit_outcome: outcome,
          kb_rate_limit_subject: subject,
        });
      expect(await decided(observed, "allowed", "user")).toBe(5);
      expect(await decided(observed, "denied", "user")).toBe(3);
      expect(await decided(observed, "allowed", "ip")).toBe(1);
      expect(await decided(other, "allowed", "user")).toBe(1);
      expect(await decided(other, "denied", "user")).toBe(0);
    } finally {
      await Promise.all([observed.close(), other.close()]);
    }
  });
});

/** Sends the log-in form as a browser does, with a password that is not right. */
async function logInWrongly(observed: ObservedService): Promise<number> {
  const page = await observed.send(null, "GET", "/login");
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const { email } = observed.world.people.editor;
  const body = new URLSearchParams({ csrf, email, password: "not the password", return_to: "/" });
  const port = new URL(observed.url).port;
  const headers = { Origin: `http://localhost:${port}`, Cookie: cookie };
  return (await fetch(`${observed.url}/login`, { method: "POST", headers, body, redirect: "manual" })).status;
}
