import { type Span, type Telemetry, withSpan } from "@kb/telemetry";
import { asServiceError } from "./as-service-error.ts";
import type { ErrorCode } from "./errors.ts";

/** Errors of the service or its dependencies. All others are the caller's. */
const faults: ReadonlySet<ErrorCode> = new Set(["internal_error", "unavailable"]);

/** Runs an operation and reports its duration and outcome: `ok` or an error code. */
export async function observeOperation<T>(
  telemetry: Telemetry | undefined,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (telemetry === undefined || !(telemetry.traces || telemetry.metrics)) return work();
  const startedAt = performance.now();
  const span = telemetry.begin(name, { kind: "internal", attributes: { "kb.operation.name": name } });
  let outcome = "ok";
  try {
    return await (span === undefined ? work() : withSpan(span, work));
  } catch (error) {
    const { code } = asServiceError(error);
    outcome = code;
    if (span !== undefined) markFailure(span, code);
    throw error;
  } finally {
    const labels = { "kb.operation.name": name, "kb.operation.outcome": outcome };
    telemetry.record("kb.operation.duration", (performance.now() - startedAt) / 1000, labels);
    span?.end();
  }
}

function markFailure(span: Span, code: ErrorCode): void {
  if (faults.has(code)) span.fail(code);
  else span.set({ "error.type": code });
}
