import { operations } from "@kb/core";
import { sessionCallerOf } from "@kb/core/testing";
import { type CollectedSpan, type Collector, startCollector } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginSession, mcpHeaders, type ObservedService, startObservedService } from "./observed-service.ts";

const internal = 1;
const server = 2;
const client = 3;
const failed = 2;

describe("traces", () => {
  let collector: Collector;
  let observed: ObservedService;
  beforeAll(async () => {
    collector = await startCollector();
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" };
    observed = await startObservedService(
      { ...environment, OTEL_BSP_SCHEDULE_DELAY: "20" },
      { poolMax: 2, connectTimeoutMs: 1_500 },
    );
  });
  afterAll(async () => {
    await observed.close();
    await collector.close();
  });

  /** Every span of a trace, once its request's own has come, which ends last. */
  async function spansOf(traceId: string): Promise<readonly CollectedSpan[]> {
    const own = (): readonly CollectedSpan[] => collector.spans.filter((span) => span.traceId === traceId);
    await expect.poll(() => own().some(({ kind }) => kind === server)).toBe(true);
    return own();
  }

  const traceparent = (traceId: string, flags = "01") => `00-${traceId}-00f067aa0ba902b7-${flags}`;
  const find = (spans: readonly CollectedSpan[], name: string): CollectedSpan => {
    const found = spans.find((span) => span.name === name);
    if (found === undefined) throw new Error(`no span ${name} among ${spans.map((span) => span.name)}`);
    return found;
  };

  it("a PATCH is traced from the edge through the operation to its statements, below the caller's span", {
    meta: { proves: ["decision.running.traces"] },
  }, async () => {
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const { guide } = observed.world.documents;
    const headers = { traceparent: traceparent(traceId) };
    const json = { title: "A new title" };
    const path = `/api/v1/documents/${guide.id}`;
    expect((await observed.send(observed.world.people.editor, "PATCH", path, { json, headers })).status).toBe(200);

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
    expect(within).toEqual(expect.arrayContaining(["BEGIN", "UPDATE documents", "COMMIT"]));
    // The caller is authenticated before the operation begins.
    expect(statements.some((span) => span.parentSpanId === edge.spanId)).toBe(true);
    expect(spans).toHaveLength(statements.length + 2);
  });

  it("a failure of the service is an error, and a refusal of the caller is not", {
    meta: { proves: ["decision.running.traces"] },
  }, async () => {
    const failing = "1".repeat(32);
    const refused = "2".repeat(32);
    const { editor } = observed.world.people;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const holders = [1, 2].map(() => observed.database.transaction(() => held));
    const answer = await observed.send(editor, "GET", "/api/v1/tags", {
      headers: { traceparent: traceparent(failing) },
    });
    release();
    await Promise.all(holders);
    expect(answer.status).toBe(503);
    const down = find(await spansOf(failing), "GET /api/v1/tags");
    expect(down).toMatchObject({ status: { code: failed }, attributes: { "error.type": "unavailable" } });

    const headers = { traceparent: traceparent(refused) };
    const missing = await observed.send(editor, "GET", "/api/v1/documents/00000000-0000-7000-8000-000000000000", {
      headers,
    });
    expect(missing.status).toBe(404);
    const spans = await spansOf(refused);
    for (const name of ["GET /api/v1/documents/{id}", "documents.get"]) {
      expect(find(spans, name)).toMatchObject({ status: { code: 0 }, attributes: { "error.type": "not_found" } });
    }
  });

  it("concurrent requests each contain only their own statements", {
    meta: { proves: ["decision.running.traces"] },
  }, async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `e${index + 10}`.padEnd(32, "0"));
    const { editor } = observed.world.people;
    const path = `/api/v1/documents/${observed.world.documents.guide.id}`;
    // Two connections for twenty: a caller that returns one wakes the next.
    const get = (traceId: string) =>
      observed.send(editor, "GET", path, { headers: { traceparent: traceparent(traceId) } });
    for (let from = 0; from < ids.length; from += 5) await Promise.all(ids.slice(from, from + 5).map(get));
    const shapes = await Promise.all(
      ids.map(async (traceId) => (await spansOf(traceId)).map(({ name }) => name).toSorted()),
    );
    expect(shapes[0]?.length).toBeGreaterThan(3);
    for (const shape of shapes) expect(shape).toEqual(shapes[0]);
  });

  it("the log line of a request has its trace id, whether the caller or the service started the trace", {
    meta: { proves: ["decision.running.log"] },
  }, async () => {
    const traceId = "a".repeat(32);
    await observed.send(observed.world.people.editor, "GET", "/api/v1/me", {
      headers: { traceparent: traceparent(traceId) },
    });
    await observed.send(observed.world.people.editor, "GET", "/api/v1/me", {
      headers: { traceparent: "00-nonsense-01" },
    });
    await expect.poll(() => observed.lines.filter(({ route }) => route === "/api/v1/me")).toHaveLength(2);
    const [given, own] = observed.lines.filter(({ route }) => route === "/api/v1/me");
    expect(given?.traceId).toBe(traceId);
    expect(own?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(await spansOf(String(own?.traceId))).not.toHaveLength(0);
  });

  it("a caller's unsampled trace is not recorded", {
    meta: { proves: ["decision.running.traces"] },
  }, async () => {
    const silent = "b".repeat(32);
    const after = "c".repeat(32);
    for (const [traceId, flags] of [
      [silent, "00"],
      [after, "01"],
    ] as const) {
      const headers = { traceparent: traceparent(traceId, flags) };
      expect((await observed.send(observed.world.people.editor, "GET", "/api/v1/me", { headers })).status).toBe(200);
    }
    await spansOf(after);
    expect(collector.spans.filter((span) => span.traceId === silent)).toEqual([]);
  });

  it("a call of an assistant names its method, tool and protocol era", {
    meta: { proves: ["decision.running.log"] },
  }, async () => {
    const traceId = "d".repeat(32);
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_collections", arguments: {} } };
    const sessionId = await beginSession(observed);
    const headers = { ...mcpHeaders, "Mcp-Session-Id": sessionId, traceparent: traceparent(traceId) };
    const { status } = await observed.send(observed.world.people.editor, "POST", "/api/mcp", { json: call, headers });
    expect(status).toBe(200);
    const edge = find(await spansOf(traceId), "POST /api/mcp");
    expect(edge.attributes).toMatchObject({ "mcp.method.name": "tools/call", "gen_ai.tool.name": "list_collections" });
    const line = () => observed.lines.find((candidate) => candidate.traceId === traceId);
    await expect.poll(line).toMatchObject({
      mcpEra: "sessions",
      mcpMethod: "tools/call",
      mcpTool: "list_collections",
    });
    const operation = find(await spansOf(traceId), "assistants.collections");
    expect(operation.parentSpanId).toBe(edge.spanId);
  });

  it("each delivery is a trace of its own, and an error if the receiver did not accept it", {
    meta: { proves: ["decision.running.traces"] },
  }, async () => {
    const { people } = observed.world;
    const boss = await sessionCallerOf(observed.world, people.admin);
    const webhook = { url: "http://127.0.0.1:9/ofmine", events: ["*"], collectionIds: [] };
    await boss.run(operations.createWebhook, webhook);
    const json = { title: "News" };
    await observed.send(people.editor, "PATCH", `/api/v1/documents/${observed.world.documents.guide.id}`, { json });
    const find = () => collector.spans.find(({ name }) => name === "webhook.deliver");
    await expect.poll(find, { timeout: 10_000 }).toBeDefined();
    expect(find()).toMatchObject({
      kind: client,
      parentSpanId: "",
      status: { code: failed },
      attributes: { "kb.webhook.outcome": "retried" },
    });
    const own = collector.spans.filter(({ parentSpanId }) => parentSpanId === find()?.spanId).map(({ name }) => name);
    expect(own).toContain("UPDATE webhook_deliveries");
  });

  it("no span contains a caller, an address or document content", {
    meta: { proves: ["decision.running.traces"] },
  }, async () => {
    const { editor } = observed.world.people;
    const { guide } = observed.world.documents;
    const json = { title: "Titleofmine", text: "Bodyofmine", tags: ["tagofmine"] };
    const headers = {
      traceparent: traceparent("f".repeat(32)),
      "X-Request-Id": "requestofmine",
      "User-Agent": "agentofmine",
    };
    await observed.send(editor, "PATCH", `/api/v1/documents/${guide.id}?x=queryofmine`, { json, headers });
    await observed.send(editor, "GET", "/api/v1/pathofmine", { headers });
    await observed.send(editor, "PROPFIND", "/api/v1/me", { headers });
    await spansOf("f".repeat(32));
    await expect.poll(() => collector.spans.some(({ name }) => name.startsWith("_OTHER"))).toBe(true);
    const all = collector.bodies.map(({ text }) => text).join("");
    expect(all).not.toMatch(/ofmine/i);
    for (const value of [editor.key, editor.email, editor.id, guide.id, observed.world.teamId, "127.0.0.1"]) {
      expect(all.includes(value), value).toBe(false);
    }
  });
});
