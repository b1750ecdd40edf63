import type { About } from "./about.ts";
import { endpointsOf, type TelemetrySettings } from "./settings.ts";
import { noTelemetry, type Telemetry } from "./telemetry.ts";

/**
 * Opens what the settings ask for; where they ask for nothing, no module of OpenTelemetry is loaded.
 * @throws {MetricsPortError} where the port of `/metrics` cannot be listened on.
 */
export async function openTelemetry(settings: TelemetrySettings, about: About): Promise<Telemetry> {
  const endpoints = endpointsOf(settings);
  const { METRICS_PORT: port } = settings;
  if (endpoints.traces === undefined && endpoints.metrics === undefined && port === undefined) return noTelemetry;
  const { openSdk } = await import("./sdk/open.ts");
  return openSdk(settings, endpoints, about);
}
