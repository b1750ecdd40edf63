/** The caller's span, from the header `traceparent`. */
export type TraceParent = { readonly traceId: string; readonly spanId: string; readonly sampled: boolean };

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads `traceparent` (W3C Trace Context §3.2); returns undefined if it is absent or malformed. */
export function readTraceParent(header: string | undefined): TraceParent | undefined {
  const match = header === undefined ? null : form.exec(header.trim());
  if (match === null) return undefined;
  const [, version = "", traceId = "", spanId = "", flags = "", more] = match;
  if (version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
