import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "@kb/db/testing";
import { readScrape, startCollector } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ObservedService, startObservedService } from "./observed-service.ts";
import { makeHome } from "./process.ts";

describe("the log line of a request without telemetry", () => {
  const seen: string[] = [];
  let observed: ObservedService;
  beforeAll(async () => {
    const onQuery = (text: string) => void seen.push(text);
    observed = await startObservedService(
      { RATE_LIMIT_PER_MINUTE: "100" },
      { poolMax: 2, connectTimeoutMs: 5_000, onQuery },
    );
  });
  afterAll(() => observed.close());

  /** The line with that request id, once it is written. */
  async function lineOf(requestId: string): Promise<Record<string, unknown>> {
    const find = () => observed.lines.find((line) => line.requestId === requestId && line.message === "request");
    await expect.poll(find).toBeDefined();
    return find() ?? {};
  }

  it("contains the bytes, time and statements of the request, and the remaining rate limit", {
    meta: { proves: ["decision.running.log"] },
  }, async () => {
    const { editor } = observed.world.people;
    const path = `/api/v1/documents/${observed.world.documents.guide.id}`;
    const headers = { "X-Request-Id": "wide", traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-00` };
    const answer = await observed.send(editor, "PATCH", path, { json: { title: "Wide" }, headers });
    const line = await lineOf("wide");
    expect(line).toMatchObject({
      method: "PATCH",
      route: "/api/v1/documents/{id}",
      path,
      status: 200,
      operation: "documents.update",
      requestBytes: JSON.stringify({ title: "Wide" }).length,
      rateLimit: 100,
      rateRemaining: 99,
      traceId: "a".repeat(32),
      teamId: observed.world.teamId,
      userId: editor.id,
      clientIp: "127.0.0.1",
    });
    expect(Number(line.responseBytes)).toBeGreaterThan(answer.text.length);
    expect(Number(line.responseBytes)).toBeLessThan(answer.text.length + 2_000);
    expect(Number(line.sqlMs)).toBeGreaterThan(0);
    expect(Number(line.sentMs)).toBeGreaterThanOrEqual(Number(line.durationMs));
    expect(line.aborted).toBeUndefined();
  });

  it("is left out for a probe of the health, unless the probe fails", async () => {
    const probe = (query: string, id: string) =>
      fetch(`${observed.url}/api/health${query}`, { headers: { "X-Request-Id": id } });
    expect((await probe("?live=1", "probe-live")).status).toBe(200);
    expect((await probe("", "probe-whole")).status).toBe(200);
    expect((await probe("?unknown=1", "probe-bad")).status).toBe(400);
    expect(await lineOf("probe-bad")).toMatchObject({ level: 40, route: "/api/health", status: 400 });
    expect(observed.lines.filter(({ requestId }) => /^probe-(live|whole)$/.test(String(requestId)))).toEqual([]);
  });

  it("counts only its own statements", { meta: { proves: ["decision.running.log"] } }, async () => {
    const before = seen.length;
    const path = `/api/v1/documents/${observed.world.documents.guide.id}`;
    await observed.send(observed.world.people.editor, "GET", path, { headers: { "X-Request-Id": "counts" } });
    const { statements } = await lineOf("counts");
    // The worker and its sweeps run others on the same database meanwhile.
    const own = seen.slice(before).filter((text) => /FROM api_keys k|d\.title, d\.emoji/.test(text));
    expect(own).toHaveLength(2);
    expect(statements).toBe(2);
  });

  it("counts the bytes of two requests on one connection separately", {
    meta: { proves: ["decision.running.log"] },
  }, async () => {
    const { editor } = observed.world.people;
    const sizes: number[] = [];
    for (const id of ["first", "second"]) {
      await observed.send(editor, "GET", "/api/v1/me", { headers: { "X-Request-Id": id } });
      sizes.push(Number((await lineOf(id)).responseBytes));
    }
    expect(Math.abs((sizes[0] ?? 0) - (sizes[1] ?? 0))).toBeLessThan(20);
  });

  it("contains the time that the request waited for a connection", {
    meta: { proves: ["decision.running.log"] },
  }, async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const holders = [1, 2].map(() => observed.database.transaction(() => held));
    const waiting = observed.send(observed.world.people.editor, "GET", "/api/v1/tags", {
      headers: { "X-Request-Id": "waits" },
    });
    setTimeout(release, 300);
    expect((await waiting).status).toBe(200);
    await Promise.all(holders);
    expect(Number((await lineOf("waits")).poolWaitMs)).toBeGreaterThan(150);
  });

  it("reports a client that disconnected early, and names the route and code of a refusal", {
    meta: { proves: ["decision.running.log"] },
  }, async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const holders = [1, 2].map(() => observed.database.transaction(() => held));
    const socket = connect(Number(new URL(observed.url).port), "127.0.0.1");
    const key = `Authorization: Bearer ${observed.world.people.editor.key}`;
    socket.write(`GET /api/v1/tags HTTP/1.1\r\nHost: x\r\nX-Request-Id: leaves\r\n${key}\r\n\r\n`);
    await once(socket, "connect");
    setTimeout(() => socket.destroy(), 100);
    setTimeout(release, 300);
    await Promise.all(holders);
    expect(await lineOf("leaves")).toMatchObject({ aborted: true, route: "/api/v1/tags" });
    await observed.send(null, "GET", "/api/v1/tags", { headers: { "X-Request-Id": "refused" } });
    expect(await lineOf("refused")).toMatchObject({
      status: 401,
      route: "/api/v1/tags",
      code: "authentication_required",
    });
  });

  it("contains no header and no content", { meta: { proves: ["decision.running.log"] } }, async () => {
    const headers = { "User-Agent": "agentofmine", Referer: "http://localhost/ofmine", "X-Request-Id": "silent" };
    await observed.send(observed.world.people.editor, "GET", "/api/v1/search?query=queryofmine", { headers });
    await lineOf("silent");
    expect(JSON.stringify(observed.lines)).not.toMatch(/ofmine/);
  });
});

describe("a collector that hangs", () => {
  it("delays no request", { meta: { proves: ["decision.running.telemetry-off"] } }, async () => {
    const collector = await startCollector();
    collector.hang();
    const observed = await startObservedService({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_TIMEOUT: "3000",
      OTEL_BSP_SCHEDULE_DELAY: "10",
    });
    try {
      const took: number[] = [];
      for (let count = 0; count < 60; count += 1) {
        took.push((await observed.send(observed.world.people.editor, "GET", "/api/v1/me")).tookMs);
      }
      await expect.poll(() => collector.bodies.length).toBeGreaterThan(0);
      // One that waited for the collector would have taken three seconds.
      expect(Math.max(...took)).toBeLessThan(1_500);
      expect(observed.lines.filter(({ message }) => String(message).includes("collector"))).toHaveLength(0);
      const outage = () =>
        observed.lines.filter(({ message }) => String(message).includes("collector is not available"));
      await expect.poll(outage, { timeout: 10_000 }).toHaveLength(1);
    } finally {
      await observed.close();
      await collector.close();
    }
  });
});

describe("kb start", () => {
  it("reads its telemetry settings from .env, and sends the remaining data when it stops", {
    timeout: 60_000,
    meta: { proves: ["decision.running.metrics", "decision.running.traces"] },
  }, async () => {
    const collector = await startCollector();
    const port = await freePort();
    const home = await makeHome();
    try {
      const lines = [`METRICS_PORT=${port}`, `OTEL_EXPORTER_OTLP_ENDPOINT=${collector.url}`];
      writeFileSync(join(home.folder, ".env"), [...lines, "OTEL_EXPORTER_OTLP_PROTOCOL=http/json"].join("\n"));
      const started = await home.start();
      await (await fetch(`${home.url}/api/v1/me`)).text();
      const scrape = readScrape(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
      const refused = { http_route: "/api/v1/me", http_response_status_code: "401" };
      expect(scrape.sum("http_server_request_duration_seconds_count", refused)).toBe(1);
      expect((await fetch(`${home.url}/metrics`)).status).toBe(404);
      expect((await started.end("SIGTERM")).code).toBe(0);
      expect(collector.spans.map(({ name, service }) => [name, service])).toContainEqual(["GET /api/v1/me", "kb"]);
    } finally {
      await home.remove();
      await collector.close();
    }
  });
});
