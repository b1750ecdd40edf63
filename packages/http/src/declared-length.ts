import type { EdgeContext } from "./edge.ts";

/** Returns the length that the client declares for its body; undefined for a chunked body. */
export function declaredLength(context: EdgeContext): number | undefined {
  const declared = context.req.header("Content-Length");
  return declared !== undefined && /^\d{1,15}$/.test(declared) ? Number(declared) : undefined;
}
