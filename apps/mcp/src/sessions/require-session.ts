import { ServiceError } from "@kb/core";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import type { Caller } from "../caller.ts";
import type { Session, SessionContext } from "./context.ts";
import { isHolder } from "./holder.ts";

/** A request in a session, with its caller. */
export type InSession = {
  readonly request: Request;
  readonly caller: Caller;
  /** The time at which the team last switched MCP on or off. Older sessions have ended. */
  readonly switchedAt: Date | null;
};

/** Finds the caller's session. Rejects another caller's session like one that does not exist. @throws {ServiceError} */
export async function requireSession(context: SessionContext, incoming: InSession): Promise<Session> {
  if (sessionIdOf(incoming.request) === null) {
    throw new ServiceError("validation_error", "Send the Mcp-Session-Id that initialize returned.");
  }
  const session = await findSession(context, incoming);
  if (session === null) throw new ServiceError("not_found", "Session not found");
  return session;
}

/** Finds the caller's session; null for another caller's, and for one that does not exist or has ended. */
export async function findSession(
  { backplane, service }: SessionContext,
  { request, caller, switchedAt }: InSession,
): Promise<Session | null> {
  const id = sessionIdOf(request);
  const record = id !== null && /^[\w-]{32}$/.test(id) ? await backplane.load(id) : null;
  if (id === null || record === null || !(await isHolder(service, record, caller))) return null;
  if (switchedAt !== null && record.startedAt < switchedAt.getTime()) {
    await backplane.drop(id);
    return null;
  }
  return { id, record, caller };
}

const sessionIdOf = ({ headers }: Request): string | null => headers.get("Mcp-Session-Id");

/** Returns whether a request names a revision with sessions, or none. */
export function hasSessionRevision({ headers }: Request): boolean {
  const revision = headers.get("MCP-Protocol-Version");
  return revision === null || SUPPORTED_PROTOCOL_VERSIONS.includes(revision);
}

/** Requires a revision with sessions. @throws {ServiceError} */
export function requireRevision(request: Request): void {
  if (hasSessionRevision(request)) return;
  const known = SUPPORTED_PROTOCOL_VERSIONS.join(", ");
  throw new ServiceError("validation_error", `MCP-Protocol-Version: sessions know ${known}.`);
}
