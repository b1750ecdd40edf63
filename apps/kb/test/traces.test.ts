import { invoke, operations } from "@kb/core";
import { type Collector, startCollector, type ToldSpan } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginSession, mcpHeaders, openTold, type Told } from "./told.ts";

const [internal, server, client] = [1, 2, 3];
const failed = 2;

describe("traces", () => {
  let collector: Collector;
  let told: Told;
  beforeAll(async () => {
    collector = await startCollector();
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" };
    told = await openTold({ ...environment, OTEL_BSP_SCHEDULE_DELAY: "20" }, { poolMax: 2, connectTimeoutMs: 1_500 });
  });
  afterAll(async () => {
    await told.close();
    await collector.close();
  });

  /** Every span of a trace, once its request's own has come, which ends last. */
  async function spansOf(traceId: string): Promise<readonly ToldSpan[]> {
    const own = (): readonly ToldSpan[] => collector.spans.filter((span) => span.traceId === traceId);
    await expect.poll(() => own().some(({ kind }) => kind === server)).toBe(true);
    return own();
  }

  const traceparent = (traceId: string, flags = "01") => `00-${traceId}-00f067aa0ba902b7-${flags}`;
  const find = (spans: readonly ToldSpan[], name: string): ToldSpan => {
    const found = spans.find((span) => span.name === name);
    if (found === undefined) throw new Error(`no span ${name} among ${spans.map((span) => span.name)}`);
    return found;
  };

  it("a PATCH is told from the edge to the operation to its statements, below the caller's span [decision.running.traces]", async () => {
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const { guide } = told.world.documents;
    const headers = { traceparent: traceparent(traceId) };
    const json = { title: "A new title" };
    const path = `/api/v1/documents/${guide.id}`;
    expect((await told.send(told.world.people.editor, "PATCH", path, { json, headers })).status).toBe(200);

    const spans = await spansOf(traceId);
    const edge = find(spans, "PATCH /api/v1/documents/{id}");
    expect(edge).toMatchObject({ kind: server, parentSpanId: "00f067aa0ba902b7", service: "kb", status: { code: 0 } });
    expect(edge.attributes).toMatchObject({
      "http.request.method": "PATCH",
      "http.route": "/api/v1/documents/{id}",
      "http.response.status_code": "200",
      "kb.operation.name": "documents.update",
    });
    const operation = find(spans, "documents.update");
    expect(operation).toMatchObject({ kind: internal, parentSpanId: edge.spanId });
    const statements = spans.filter((span) => span.kind === client);
    for (const statement of statements) {
      expect([edge.spanId, operation.spanId]).toContain(statement.parentSpanId);
      expect(statement.attributes["db.system.name"]).toBe("postgresql");
    }
    const within = statements.filter((span) => span.parentSpanId === operation.spanId).map(({ name }) => name);
    expect(within).toEqual(expect.arrayContaining(["BEGIN", "UPDATE documents", "INSERT audit_entries", "COMMIT"]));
    // Who calls is found out before the operation is begun.
    expect(statements.some((span) => span.parentSpanId === edge.spanId)).toBe(true);
    expect(spans).toHaveLength(statements.length + 2);
  });

  it("what the service fails at is an error, what the caller is refused is none [decision.running.traces]", async () => {
    const [failing, refused] = ["1".repeat(32), "2".repeat(32)];
    const { editor } = told.world.people;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const holders = [1, 2].map(() => told.database.transaction(() => held));
    const answer = await told.send(editor, "GET", "/api/v1/tags", { headers: { traceparent: traceparent(failing) } });
    release();
    await Promise.all(holders);
    expect(answer.status).toBe(503);
    const down = find(await spansOf(failing), "GET /api/v1/tags");
    expect(down).toMatchObject({ status: { code: failed }, attributes: { "error.type": "unavailable" } });

    const headers = { traceparent: traceparent(refused) };
    const missing = await told.send(editor, "GET", "/api/v1/documents/00000000-0000-7000-8000-000000000000", {
      headers,
    });
    expect(missing.status).toBe(404);
    const spans = await spansOf(refused);
    for (const name of ["GET /api/v1/documents/{id}", "documents.get"]) {
      expect(find(spans, name)).toMatchObject({ status: { code: 0 }, attributes: { "error.type": "not_found" } });
    }
  });

  it("requests at the same time have each their own statements [decision.running.traces]", async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `e${index + 10}`.padEnd(32, "0"));
    const { editor } = told.world.people;
    const path = `/api/v1/documents/${told.world.documents.guide.id}`;
    // Two connections for twenty: who waits for one is called by whoever gives it back.
    const get = (traceId: string) => told.send(editor, "GET", path, { headers: { traceparent: traceparent(traceId) } });
    for (let from = 0; from < ids.length; from += 5) await Promise.all(ids.slice(from, from + 5).map(get));
    const shapes = await Promise.all(
      ids.map(async (traceId) => (await spansOf(traceId)).map(({ name }) => name).toSorted()),
    );
    expect(shapes[0]?.length).toBeGreaterThan(3);
    for (const shape of shapes) expect(shape).toEqual(shapes[0]);
  });

  it("the log line of a request has its trace, whoever began it [decision.running.log]", async () => {
    const traceId = "a".repeat(32);
    await told.send(told.world.people.editor, "GET", "/api/v1/me", { headers: { traceparent: traceparent(traceId) } });
    await told.send(told.world.people.editor, "GET", "/api/v1/me", { headers: { traceparent: "00-nonsense-01" } });
    await expect.poll(() => told.lines.filter(({ route }) => route === "/api/v1/me")).toHaveLength(2);
    const [given, own] = told.lines.filter(({ route }) => route === "/api/v1/me");
    expect(given?.traceId).toBe(traceId);
    expect(own?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(await spansOf(String(own?.traceId))).not.toHaveLength(0);
  });

  it("a caller's trace that is not sampled is not told [decision.running.traces]", async () => {
    const [silent, after] = ["b".repeat(32), "c".repeat(32)];
    for (const [traceId, flags] of [
      [silent, "00"],
      [after, "01"],
    ] as const) {
      const headers = { traceparent: traceparent(traceId, flags) };
      expect((await told.send(told.world.people.editor, "GET", "/api/v1/me", { headers })).status).toBe(200);
    }
    await spansOf(after);
    expect(collector.spans.filter((span) => span.traceId === silent)).toEqual([]);
  });

  it("a call of an assistant says its method, tool and era [decision.running.log]", async () => {
    const traceId = "d".repeat(32);
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_collections", arguments: {} } };
    const sessionId = await beginSession(told);
    const headers = { ...mcpHeaders, "Mcp-Session-Id": sessionId, traceparent: traceparent(traceId) };
    const { status } = await told.send(told.world.people.editor, "POST", "/api/mcp", { json: call, headers });
    expect(status).toBe(200);
    const edge = find(await spansOf(traceId), "POST /api/mcp");
    expect(edge.attributes).toMatchObject({ "mcp.method.name": "tools/call", "gen_ai.tool.name": "list_collections" });
    const line = () => told.lines.find((candidate) => candidate.traceId === traceId);
    await expect.poll(line).toMatchObject({
      mcpEra: "sessions",
      mcpMethod: "tools/call",
      mcpTool: "list_collections",
    });
    const operation = find(await spansOf(traceId), "assistants.collections");
    expect(operation.parentSpanId).toBe(edge.spanId);
  });

  it("a delivery is a trace of its own, and an error where the receiver did not take it [decision.running.traces]", async () => {
    const { service, people } = told.world;
    const actor = { ...people.admin.actor, scopes: new Set(["admin"] as const) };
    const inApp = { ...actor, credential: { kind: "session" as const, id: people.admin.id, name: "Browser" } };
    const webhook = { url: "http://127.0.0.1:9/ofmine", events: ["*"], collectionIds: [] };
    await invoke(service, operations.createWebhook, inApp, webhook);
    const json = { title: "News" };
    await told.send(people.editor, "PATCH", `/api/v1/documents/${told.world.documents.guide.id}`, { json });
    const find = () => collector.spans.find(({ name }) => name === "webhook.deliver");
    await expect.poll(find, { timeout: 10_000 }).toBeDefined();
    expect(find()).toMatchObject({
      ...{ kind: client, parentSpanId: "", status: { code: failed } },
      attributes: { "kb.webhook.outcome": "retried" },
    });
    const own = collector.spans.filter(({ parentSpanId }) => parentSpanId === find()?.spanId).map(({ name }) => name);
    expect(own).toContain("UPDATE webhook_deliveries");
  });

  it("no span says who called, from where, or what a document says [decision.running.traces]", async () => {
    const { editor } = told.world.people;
    const { guide } = told.world.documents;
    const json = { title: "Titleofmine", text: "Bodyofmine", tags: ["tagofmine"] };
    const headers = {
      traceparent: traceparent("f".repeat(32)),
      "X-Request-Id": "requestofmine",
      "User-Agent": "agentofmine",
    };
    await told.send(editor, "PATCH", `/api/v1/documents/${guide.id}?x=queryofmine`, { json, headers });
    await told.send(editor, "GET", "/api/v1/pathofmine", { headers });
    await told.send(editor, "PROPFIND", "/api/v1/me", { headers });
    await spansOf("f".repeat(32));
    await expect.poll(() => collector.spans.some(({ name }) => name.startsWith("_OTHER"))).toBe(true);
    const all = collector.bodies.map(({ text }) => text).join("");
    expect(all).not.toMatch(/ofmine/i);
    for (const value of [editor.key, editor.email, editor.id, guide.id, told.world.teamId, "127.0.0.1"]) {
      expect(all.includes(value), value).toBe(false);
    }
  });
});
