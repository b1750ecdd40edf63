import { type MetricName, metrics, openTelemetry, type Telemetry, TelemetryVariables } from "@kb/telemetry";
import { readScrape } from "@kb/testing";
import { z } from "zod";

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * Measures every metric of the service once, with all of its labels, and reads `/metrics`. Returns the labels of each name that
 * Prometheus sees, with those that it adds itself.
 */
export async function exportedMetrics(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const settings = z.object(TelemetryVariables).parse({ METRICS_PORT: "0" });
  const telemetry = await openTelemetry(settings, { service: "kb", version: "0.0.0-test", logger: silent });
  try {
    for (const name of Object.keys(metrics).filter(isMetric)) measure(telemetry, name);
    const answer = await fetch(`http://127.0.0.1:${telemetry.metricsPort}/metrics`);
    const exported = new Map<string, Set<string>>([["up", new Set()]]);
    for (const { name, labels } of readScrape(await answer.text()).samples) {
      exported.set(name, new Set([...(exported.get(name) ?? []), ...Object.keys(labels)]));
    }
    for (const labels of exported.values()) for (const label of ["job", "instance"]) labels.add(label);
    return exported;
  } finally {
    await telemetry.close();
  }
}

function measure(telemetry: Telemetry, name: MetricName): void {
  const labels = Object.fromEntries(metrics[name].labels.map((label) => [label, "x"]));
  if (isHistogram(name)) telemetry.record(name, 1, labels);
  else if (isCounter(name)) telemetry.add(name, 1, labels);
  else if (isGauge(name)) telemetry.observe([name], () => [{ name, value: 1, labels }]);
}

const isMetric = (name: string): name is MetricName => name in metrics;
const isHistogram = (name: MetricName): name is Parameters<Telemetry["record"]>[0] =>
  metrics[name].kind === "histogram";
const isCounter = (name: MetricName): name is Parameters<Telemetry["add"]>[0] => /ounter$/.test(metrics[name].kind);
const isGauge = (name: MetricName): name is Parameters<Telemetry["observe"]>[0][number] =>
  metrics[name].kind === "gauge";
