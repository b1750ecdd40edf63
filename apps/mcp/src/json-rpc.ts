/** An answer for a message that has no id to be answered by: it could not be read. */
export function jsonRpcFailure(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
