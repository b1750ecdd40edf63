import { createServer, type Server } from "node:http";
import { invoke, operations } from "@kb/core";
import { sql } from "@kb/db";
import type { Scrape } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginSession, mcpHeaders, openTold, type Told } from "./told.ts";

const requests = "http_server_request_duration_seconds_count";
const route = "/api/v1/documents/{id}";

describe("/metrics", () => {
  let told: Told;
  let receiver: Server;
  beforeAll(async () => {
    told = await openTold({ METRICS_PORT: "0" }, { poolMax: 2, connectTimeoutMs: 1_500 });
    receiver = createServer((request, response) => {
      request.resume();
      response.writeHead(request.url === "/broken" ? 500 : 200).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    await told.close();
    receiver.close();
  });

  /** By how much a number grew. */
  async function growth(work: () => Promise<unknown>): Promise<Scrape["sum"]> {
    const before = await told.scrape();
    await work();
    const after = await told.scrape();
    return (name, labels) => after.sum(name, labels) - before.sum(name, labels);
  }

  it("requests are counted by route, status and code, and operations by outcome [decision.running.metrics]", async () => {
    const { editor, viewer } = told.world.people;
    const { guide } = told.world.documents;
    const path = `/api/v1/documents/${guide.id}`;
    const grown = await growth(async () => {
      for (let count = 0; count < 5; count += 1) await told.send(editor, "GET", path);
      await told.send(editor, "PATCH", path, { json: { title: "Another" } });
      await told.send(viewer, "PATCH", path, { json: { title: "Mine" } });
      await told.send(editor, "GET", "/api/v1/documents/00000000-0000-7000-8000-000000000000");
      await told.send(editor, "PATCH", path, { json: { titel: "Another" } });
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
    expect((await told.scrape()).sum("http_server_active_requests")).toBe(0);
  });

  it("refused credentials and log-ins are counted by why [decision.running.metrics]", async () => {
    const wrong = { Authorization: "Bearer kb_no-such-key-anywhere" };
    const grown = await growth(async () => {
      for (let count = 0; count < 3; count += 1) await told.send(null, "GET", "/api/v1/me", { headers: wrong });
      await told.send(null, "GET", "/api/v1/me");
      expect(await logInWrongly(told)).toBe(401);
    });
    const failures = "kb_authentication_failures_total";
    expect(grown(failures, { http_route: "/api/v1/me", error_type: "invalid_api_key" })).toBe(3);
    expect(grown(failures, { http_route: "/api/v1/me", error_type: "authentication_required" })).toBe(1);
    expect(grown(failures, { http_route: "/login" })).toBe(1);
    expect(grown(failures)).toBe(5);
  });

  it("a wait for a connection, one that was given up, and the pool are told [decision.running.metrics]", async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const grown = await growth(async () => {
      const holders = [1, 2].map(() => told.database.transaction(() => held));
      await expect.poll(async () => (await told.scrape()).sum("db_client_connection_count", used)).toBe(2);
      const waiting = told.send(told.world.people.editor, "GET", "/api/v1/tags");
      await expect
        .poll(async () => (await told.scrape()).sum("db_client_connection_pending_requests"))
        .toBeGreaterThan(0);
      expect((await waiting).status).toBe(503);
      release();
      await Promise.all(holders);
    });
    const pool = { db_client_connection_pool_name: "kb" };
    expect(grown("db_client_connection_timeouts_total", pool)).toBeGreaterThanOrEqual(1);
    expect(grown("db_client_connection_wait_time_seconds_sum", pool)).toBeGreaterThan(0.9);
    expect(grown(requests, { http_response_status_code: "503", error_type: "unavailable" })).toBe(1);
    const after = await told.scrape();
    expect(after.sum("db_client_connection_max", pool)).toBe(2);
    expect(after.sum("db_client_connection_pending_requests", pool)).toBe(0);
  });

  const used = { db_client_connection_state: "used" };

  it("what waits in the outbox is told, and each delivery by what came of it [decision.running.metrics] [decision.running.log]", async () => {
    const address = receiver.address();
    const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const { service, people, documents } = told.world;
    const actor = {
      ...people.admin.actor,
      credential: { kind: "session" as const, id: people.admin.id, name: "Browser" },
    };
    for (const path of ["/good", "/broken"]) {
      const webhook = { url: `${origin}${path}`, events: ["*"], collectionIds: [] };
      await invoke(service, operations.createWebhook, { ...actor, scopes: new Set(["admin"] as const) }, webhook);
    }
    const deliveries = "kb_webhook_deliveries_total";
    // The worker had no connection either, and looks again after two seconds.
    const patience = { timeout: 10_000 };
    await expect.poll(async () => (await told.scrape()).sum("kb_outbox_depth"), patience).toBe(0);
    const json = { title: "News" };
    const grown = await growth(async () => {
      // Another worker has the team's turn: what happens waits.
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      const turn = told.database.transaction(async (tx) => {
        await tx.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`dispatch:${told.world.teamId}`}, 0))`);
        await held;
      });
      await told.send(people.editor, "PATCH", `/api/v1/documents/${documents.guide.id}`, { json });
      await expect.poll(async () => (await told.scrape()).sum("kb_outbox_depth"), patience).toBe(1);
      expect((await told.scrape()).sum("kb_outbox_age_seconds")).toBeGreaterThan(0);
      release();
      await turn;
      const sent = () => told.lines.filter(({ message, eventId }) => message === "delivery" && eventId !== undefined);
      await expect.poll(() => sent().some(({ result }) => result === "retried"), patience).toBe(true);
      await expect.poll(() => sent().some(({ result }) => result === "delivered"), patience).toBe(true);
    });
    expect(grown(deliveries, { kb_webhook_outcome: "delivered" })).toBeGreaterThanOrEqual(1);
    expect(grown(deliveries, { kb_webhook_outcome: "retried" })).toBeGreaterThanOrEqual(1);
    expect(grown("kb_webhook_attempt_duration_seconds_count")).toBe(grown(deliveries));
    const scrape = await told.scrape();
    const lines = told.lines.filter(({ message }) => message === "delivery");
    expect(lines).toHaveLength(scrape.sum(deliveries));
    expect(lines.find(({ result }) => result === "retried")).toMatchObject({ status: 500, attempt: 1 });
    expect(JSON.stringify(lines)).not.toContain(origin);
  });

  it("an open stream of events is told until it ends [decision.running.metrics]", async () => {
    const id = await beginSession(told);
    const { key } = told.world.people.editor;
    const headers = {
      ...mcpHeaders,
      Authorization: `Bearer ${key}`,
      "Mcp-Session-Id": id,
      Accept: "text/event-stream",
    };
    const streams = async () => (await told.scrape()).sum("kb_http_event_streams", { http_route: "/api/mcp" });
    const hangUp = new AbortController();
    const opened = await fetch(`${told.url}/api/mcp`, { headers, signal: hangUp.signal });
    expect(opened.status).toBe(200);
    await expect.poll(streams).toBe(1);
    hangUp.abort();
    await expect.poll(streams).toBe(0);
  });

  it("how late the event loop is and how much memory there is are told [decision.running.metrics]", async () => {
    const until = performance.now() + 150;
    await told.scrape();
    await new Promise((resolve) => setTimeout(resolve, 50));
    while (performance.now() < until + 200) JSON.stringify(told.lines);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const scrape = await told.scrape();
    expect(scrape.sum("nodejs_eventloop_delay_max_seconds")).toBeGreaterThan(0.1);
    expect(scrape.sum("nodejs_eventloop_utilization")).toBeGreaterThan(0.1);
    expect(scrape.sum("process_memory_usage_bytes")).toBeGreaterThan(50_000_000);
  });

  it("only /metrics is answered there, and /metrics is answered nowhere else [decision.running.metrics]", async () => {
    const own = `http://127.0.0.1:${told.telemetry.metricsPort}`;
    expect((await fetch(`${own}/api/v1/me`)).status).toBe(404);
    expect((await fetch(`${own}/metrics`, { method: "POST" })).status).toBe(405);
    expect((await told.send(null, "GET", "/metrics")).status).toBe(404);
  });
});

describe("the rate limit", () => {
  it("each decision is counted, by what kind of caller, beside another service in the same process [decision.running.metrics]", async () => {
    const [told, other] = await Promise.all([
      openTold({ METRICS_PORT: "0", RATE_LIMIT_PER_MINUTE: "5" }),
      openTold({ METRICS_PORT: "0" }),
    ]);
    try {
      const statuses: number[] = [];
      for (let count = 0; count < 8; count += 1) {
        statuses.push((await told.send(told.world.people.editor, "GET", "/api/v1/me")).status);
      }
      await told.send(null, "GET", "/api/v1/me");
      await other.send(other.world.people.editor, "GET", "/api/v1/me");
      expect(statuses.filter((status) => status === 429)).toHaveLength(3);
      const decided = async ({ scrape }: Told, outcome: string, subject: string) =>
        (await scrape()).sum("kb_rate_limit_decisions_total", {
          kb_rate_limit_outcome: outcome,
          kb_rate_limit_subject: subject,
        });
      expect(await decided(told, "allowed", "user")).toBe(5);
      expect(await decided(told, "denied", "user")).toBe(3);
      expect(await decided(told, "allowed", "ip")).toBe(1);
      expect(await decided(other, "allowed", "user")).toBe(1);
      expect(await decided(other, "denied", "user")).toBe(0);
    } finally {
      await Promise.all([told.close(), other.close()]);
    }
  });
});

/** Sends the log-in form as a browser does, with a password that is not right. */
async function logInWrongly(told: Told): Promise<number> {
  const page = await told.send(null, "GET", "/login");
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const { email } = told.world.people.editor;
  const body = new URLSearchParams({ csrf, email, password: "not the password", return_to: "/" });
  const port = new URL(told.url).port;
  const headers = { Origin: `http://localhost:${port}`, Cookie: cookie };
  return (await fetch(`${told.url}/login`, { method: "POST", headers, body, redirect: "manual" })).status;
}
