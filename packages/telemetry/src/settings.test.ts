import { describe, expect, it } from "vitest";
import { z } from "zod";
import { endpointsOf, requireOwnMetricsPort, TelemetryVariables } from "./settings.ts";
import { readTraceParent } from "./trace-parent.ts";

const Variables = z.object(TelemetryVariables);
const endpoints = (environment: Record<string, string>) => endpointsOf(Variables.parse(environment));
const base = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" };

describe("the standard variables", () => {
  it("send nothing unless an address is set", { meta: { proves: ["decision.running.telemetry-off"] } }, () => {
    const nowhere = { traces: undefined, metrics: undefined };
    expect(endpoints({})).toEqual(nowhere);
    expect(endpoints({ OTEL_SERVICE_NAME: "wiki", METRICS_PORT: "9464" })).toEqual(nowhere);
    expect(endpoints({ ...base, OTEL_SDK_DISABLED: "true" })).toEqual(nowhere);
    expect(endpoints({ ...base, OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" })).toEqual(nowhere);
  });

  it("use one address as the base of both signals, and the address of one signal unchanged", () => {
    const whole = { traces: "http://collector:4318/v1/traces", metrics: "http://collector:4318/v1/metrics" };
    expect(endpoints(base)).toEqual(whole);
    expect(endpoints({ ...base, OTEL_SDK_DISABLED: "false" })).toEqual(whole);
    const own = "https://traces.example.com/in";
    expect(endpoints({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own })).toEqual({ traces: own, metrics: undefined });
    expect(endpoints({ ...base, OTEL_METRICS_EXPORTER: "none" })).toEqual({ ...whole, metrics: undefined });
  });

  it("read headers and attributes as percent-encoded pairs", () => {
    const { OTEL_EXPORTER_OTLP_HEADERS: headers, OTEL_RESOURCE_ATTRIBUTES: attributes } = Variables.parse({
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20a=b, x-team = c",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=staging",
    });
    expect(headers).toEqual({ authorization: "Bearer a=b", "x-team": "c" });
    expect(attributes).toEqual({ "deployment.environment.name": "staging" });
  });

  it.each([
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "authorization"],
    ["OTEL_TRACES_SAMPLER", "sometimes"],
    ["OTEL_TRACES_SAMPLER_ARG", "2"],
    ["OTEL_METRIC_EXPORT_INTERVAL", "0"],
    ["METRICS_PORT", "65536"],
  ])(
    "%s=%s is reported, not silently replaced by a default",
    { meta: { proves: ["decision.running.environment"] } },
    (name, value) => {
      const parsed = Variables.safeParse({ [name]: value });
      expect(parsed.error?.issues.map(({ path }) => path)).toEqual([[name]]);
    },
  );

  it("never put /metrics on the public port", { meta: { proves: ["decision.running.metrics"] } }, () => {
    const Both = Variables.extend({ PORT: z.coerce.number() }).superRefine(requireOwnMetricsPort);
    expect(Both.safeParse({ PORT: "3000", METRICS_PORT: "3000" }).success).toBe(false);
    expect(Both.safeParse({ PORT: "3000", METRICS_PORT: "9464" }).success).toBe(true);
    expect(Both.safeParse({ PORT: "3000" }).success).toBe(true);
  });
});

describe("traceparent", () => {
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const spanId = "00f067aa0ba902b7";

  it.each([
    [`00-${traceId}-${spanId}-01`, true],
    [`00-${traceId}-${spanId}-00`, false],
    [` 00-${traceId}-${spanId}-03 `, true],
    [`01-${traceId}-${spanId}-01-what-comes-later`, true],
  ])("%s is read", (header, sampled) => {
    expect(readTraceParent(header)).toEqual({ traceId, spanId, sampled });
  });

  it.each([
    undefined,
    "",
    "nonsense",
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}`,
  ])("%s is as good as absent", (header) => {
    expect(readTraceParent(header)).toBeUndefined();
  });
});
