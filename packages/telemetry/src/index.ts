export { collectGarbage, returnFreeMemory } from "./collect-garbage.ts";
export {
  addBodyBytes,
  addCpuTime,
  beginBoundedDatabaseWork,
  beginDatabaseWork,
  type CpuMeter,
  databaseMsOf,
  metered,
  takeTurn,
  withCpuMeter,
} from "./cpu-meter.ts";
export { type MetricName, metrics } from "./metrics.ts";
export { MetricsPortError } from "./metrics-port-error.ts";
export { openTelemetry } from "./open.ts";
export { currentScope, inScope, newTally, type Scope, type Tally, withSpan } from "./scope.ts";
export { requireOwnMetricsPort, type TelemetrySettings, TelemetryVariables } from "./settings.ts";
export { startSharedWork } from "./shared-work.ts";
export { noTelemetry, type Observation, type Span, type Telemetry } from "./telemetry.ts";
export { readTraceParent } from "./trace-parent.ts";
