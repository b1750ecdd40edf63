import { createServer, type Server } from "node:http";
import { startStopwatch } from "@kb/testing/event-loop-time";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { collectGarbage } from "./collect-garbage.ts";
import { openTelemetry } from "./open.ts";
import { TelemetryVariables } from "./settings.ts";
import { noTelemetry, type Telemetry } from "./telemetry.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Starts a collector that answers with the given status, or never; returns its address and the requested paths. */
async function collect(status: () => number | undefined): Promise<{ url: string; paths: string[] }> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
    request.resume();
    const answer = status();
    if (answer !== undefined) response.writeHead(answer).end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`, paths };
}

type Line = { facts: object; message: string };

async function open(environment: Record<string, string>): Promise<{ telemetry: Telemetry; lines: Line[] }> {
  const lines: Line[] = [];
  const write = (facts: object, message: string) => void lines.push({ facts, message });
  const logger = { info: write, warn: write };
  const settings = z.object(TelemetryVariables).parse(environment);
  return { telemetry: await openTelemetry(settings, { service: "test", version: "1", logger }), lines };
}

/** The bytes that are in use, without garbage. */
function usedBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const tell = (telemetry: Telemetry, count = 1): void => {
  for (let index = 0; index < count; index += 1) telemetry.begin("work", { kind: "internal" })?.end();
};

describe("telemetry", () => {
  it("loads nothing if no variable enables it", {
    meta: { proves: ["decision.running.telemetry-off"] },
  }, async () => {
    const { telemetry } = await open({ OTEL_SERVICE_NAME: "wiki" });
    expect(telemetry).toBe(noTelemetry);
    expect(telemetry.begin("work", { kind: "internal" })).toBeUndefined();
  });

  it("sends the remaining data on close, however long the interval is", async () => {
    const { url, paths } = await collect(() => 200);
    const { telemetry } = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: "60000" });
    tell(telemetry);
    telemetry.add("kb.rate_limit.decisions", 1, { "kb.rate_limit.outcome": "allowed" });
    await telemetry.close();
    expect(paths.toSorted()).toEqual(["/v1/metrics", "/v1/traces"]);
  });

  it("waits at most two seconds for a hanging collector", {
    meta: { proves: ["decision.running.telemetry-off"] },
  }, async () => {
    const { url, paths } = await collect(() => undefined);
    const { telemetry } = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
    tell(telemetry);
    const elapsedMs = startStopwatch();
    await telemetry.close();
    expect(elapsedMs()).toBeLessThan(2_800);
    expect(paths).not.toHaveLength(0);
  });

  it("logs one line while the collector is unavailable, and does not accumulate data", {
    meta: { proves: ["decision.running.telemetry-off"] },
  }, async () => {
    const environment = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:9/v1/traces" };
    const short = { OTEL_EXPORTER_OTLP_TIMEOUT: "100", OTEL_BSP_SCHEDULE_DELAY: "10" };
    const { telemetry, lines } = await open({ ...environment, ...short });
    const before = usedBytes();
    tell(telemetry, 50_000);
    await expect.poll(() => lines).toHaveLength(1);
    tell(telemetry, 50_000);
    const growth = usedBytes() - before;
    await telemetry.close();
    expect(growth).toBeLessThan(20_000_000);
    const facts = { signal: "traces", reason: expect.any(String) };
    expect(lines).toEqual([{ facts, message: expect.stringContaining("is not available") }]);
  });

  it("logs one line when the collector refuses, and one when it accepts again", async () => {
    let status = 400;
    const { url, paths } = await collect(() => status);
    const { telemetry, lines } = await open({
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_BSP_SCHEDULE_DELAY: "10",
      OTEL_METRICS_EXPORTER: "none",
    });
    for (const asked of [1, 2, 3]) {
      tell(telemetry);
      await expect.poll(() => paths).toHaveLength(asked);
    }
    await expect.poll(() => lines).toHaveLength(1);
    status = 200;
    tell(telemetry);
    await expect.poll(() => lines).toHaveLength(2);
    expect(lines[1]?.message).toContain("is available again");
    await telemetry.close();
  });
});
