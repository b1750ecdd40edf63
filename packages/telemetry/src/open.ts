import type { About } from "./about.ts";
import { endpointsOf, type TelemetrySettings } from "./settings.ts";
import { noTelemetry, type Telemetry } from "./telemetry.ts";

/**
 * Opens the telemetry that the settings enable. If they enable none, no module of OpenTelemetry is loaded.
 * @throws {MetricsPortError} if the port of `/metrics` is not available
 */
export async function openTelemetry(settings: TelemetrySettings, about: About): Promise<Telemetry> {
  const endpoints = endpointsOf(settings);
  const { METRICS_PORT: port } = settings;
  if (endpoints.traces === undefined && endpoints.metrics === undefined && port === undefined) return noTelemetry;
  const { openSdk } = await import("./sdk/open.ts");
  return openSdk(settings, endpoints, about);
}
