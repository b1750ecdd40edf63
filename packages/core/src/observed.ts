import { type Span, type Telemetry, withSpan } from "@kb/telemetry";
import { asServiceError, type ErrorCode } from "./errors.ts";

/** Our own fault, or that of what we stand on; everything else is what the caller asked for. */
const faults: ReadonlySet<ErrorCode> = new Set(["internal_error", "unavailable"]);

/** Runs an operation, told by its name: how long it took, and whether it came to `ok` or to an error's code. */
export async function observed<T>(telemetry: Telemetry | undefined, name: string, work: () => Promise<T>): Promise<T> {
  if (telemetry === undefined || !(telemetry.traces || telemetry.metrics)) return work();
  const startedAt = performance.now();
  const span = telemetry.begin(name, { kind: "internal", attributes: { "kb.operation.name": name } });
  let outcome = "ok";
  try {
    return await (span === undefined ? work() : withSpan(span, work));
  } catch (error) {
    const { code } = asServiceError(error);
    outcome = code;
    if (span !== undefined) tellFailure(span, code);
    throw error;
  } finally {
    const labels = { "kb.operation.name": name, "kb.operation.outcome": outcome };
    telemetry.record("kb.operation.duration", (performance.now() - startedAt) / 1000, labels);
    span?.end();
  }
}

function tellFailure(span: Span, code: ErrorCode): void {
  if (faults.has(code)) span.fail(code);
  else span.set({ "error.type": code });
}
