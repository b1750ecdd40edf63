import { readOnlyTools } from "@kb/mcp-tools";
import { metered } from "@kb/telemetry";
import { type ToolCall, toolCallOf } from "../direct-call.ts";
import type { SessionContext } from "./context.ts";
import { findSession, hasSessionRevision, type InSession } from "./require-session.ts";

// A tool that only reads never calls the client back, and its answer is not kept: the client sends the request again. Such a
// call needs neither a stream nor a server that replays `initialize`, and is answered as JSON, which every client accepts.

/** Returns the call, if a request in a session only calls a tool that only reads; undefined if the SDK has to answer. */
export function directReadOf(request: Request, body: unknown): ToolCall | undefined {
  const { headers } = request;
  if (!headers.has("Mcp-Session-Id") || !hasSessionRevision(request)) return undefined;
  const accepted = headers.get("Accept") ?? "";
  if (!accepted.includes("application/json") || !accepted.includes("text/event-stream")) return undefined;
  const call = toolCallOf(body);
  if (call === undefined || !readOnlyTools.has(call.tool) || !isIgnored(call.meta)) return undefined;
  return call;
}

/** Whether metadata changes nothing: the tools report no progress. */
function isIgnored(meta: Readonly<Record<string, unknown>> | undefined): boolean {
  if (meta === undefined) return true;
  const { progressToken, ...others } = meta;
  return Object.keys(others).length === 0 && (typeof progressToken === "string" || Number.isSafeInteger(progressToken));
}

/** The answer to a read: JSON, and the headers that the SDK sends with it. */
export type DirectAnswer = { readonly body: string; readonly headers: Record<string, string> };

/** Answers a read as the SDK would; undefined if there is no such session, or if only the SDK can answer. */
export async function answerRead(
  context: SessionContext,
  incoming: InSession,
  { id, tool, input }: ToolCall,
): Promise<DirectAnswer | undefined> {
  const { direct } = context.offer;
  const { caller } = incoming;
  // Only the SDK challenges an app for a scope.
  if (direct === undefined || (caller.app !== undefined && !caller.actor.scopes.has("read"))) return undefined;
  const session = await findSession(context, incoming);
  const result = session === null ? undefined : await direct.call(caller, tool, input);
  if (session === null || result === undefined) return undefined;
  return {
    body: metered(() => JSON.stringify({ jsonrpc: "2.0", id, result })),
    headers: { "Content-Type": "application/json", "Mcp-Session-Id": session.id },
  };
}
