/** Maximum number of messages in a batch. The SDK's transport has the same limit. */
export const maxBatch = 100;

/** Returns a JSON-RPC error without an id, for a message that could not be parsed. */
export function jsonRpcFailure(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
