import { randomBytes } from "node:crypto";
import { ServiceError } from "@kb/core";
import {
  type AuthInfo,
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  parseJSONRPCMessage,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { jsonRpcFailure, maxBatch } from "../json-rpc.ts";
import { type CallRequest, limits } from "./backplane.ts";
import { answerRequests } from "./call.ts";
import { tailCall } from "./call-tail.ts";
import { tailChanges } from "./changes-tail.ts";
import type { SessionContext } from "./context.ts";
import { answerRead, directReadOf } from "./direct-read.ts";
import { changesStream, readEventId } from "./event-id.ts";
import { isReadRequest } from "./is-read-request.ts";
import { type InSession, requireRevision, requireSession } from "./require-session.ts";
import { sessionServer } from "./server.ts";

/** One request of the revisions with sessions, 2024-11-05 to 2025-11-25. */
export type SessionRequest = InSession & {
  readonly authInfo: AuthInfo;
  /** The parsed body of a POST. */
  readonly body?: unknown;
  /** Ends the connection of a client that takes nothing of the answer. */
  readonly disconnect: () => void;
};

/** Serves a request of a session, or one that starts a session. @throws {ServiceError} */
export function serveSessions(context: SessionContext, incoming: SessionRequest): Promise<Response> {
  switch (incoming.request.method) {
    case "GET":
      return openStream(context, incoming);
    case "DELETE":
      return endSession(context, incoming);
    default:
      return post(context, incoming);
  }
}

async function post(context: SessionContext, incoming: SessionRequest): Promise<Response> {
  const { body, request, authInfo, disconnect } = incoming;
  const read = directReadOf(request, body);
  const answer = read === undefined ? undefined : await answerRead(context, incoming, read);
  if (answer !== undefined) return new Response(answer.body, { headers: answer.headers });
  const messages = parseMessages(body);
  if (messages === null) return jsonRpcFailure(400, -32700, "Parse error: Invalid JSON-RPC message");
  if (messages.some((message) => isInitializeRequest(message))) return begin(context, incoming);
  const session = await requireSession(context, incoming);
  requireRevision(request);
  const requests = messages.filter((message) => isJSONRPCRequest(message)).map(callRequestOf);
  if (requests.length > 0) return answerRequests(context, session, { request, body, requests, authInfo, disconnect });
  for (const message of messages) {
    if (!isRequest(message)) await context.backplane.publish({ kind: "message", session: session.id, message });
  }
  return new Response(null, { status: 202 });
}

const callRequestOf = (request: JSONRPCRequest): CallRequest => ({ id: request.id, isRead: isReadRequest(request) });

const isRequest = (message: JSONRPCMessage): message is JSONRPCRequest => isJSONRPCRequest(message);

function parseMessages(body: unknown): JSONRPCMessage[] | null {
  const list: unknown[] = Array.isArray(body) ? body : [body];
  if (list.length === 0 || list.length > maxBatch) return null;
  try {
    return list.map((message) => parseJSONRPCMessage(message));
  } catch {
    return null;
  }
}

/** Starts a session. The response carries its id in a header. */
async function begin(context: SessionContext, { body, request, caller, authInfo }: SessionRequest): Promise<Response> {
  if (!isInitializeRequest(body))
    return jsonRpcFailure(400, -32600, "Invalid Request: initialize must be the only message");
  const { backplane, service } = context;
  if (Buffer.byteLength(JSON.stringify(body)) > limits.initializeBytes) {
    throw new ServiceError("payload_too_large", `initialize may have at most ${limits.initializeBytes} bytes.`);
  }
  const id = randomBytes(24).toString("base64url");
  const startedAt = service.clock.now().getTime();
  const { principal, app } = caller;
  await backplane.create(id, { principal, app, startedAt, initialize: parseJSONRPCMessage(body) });
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    enableJsonResponse: true,
  });
  const server = sessionServer(context, id, caller);
  await server.connect(transport);
  try {
    const answer = await transport.handleRequest(request, { parsedBody: body, authInfo });
    if (answer.status !== 200) await backplane.drop(id);
    return answer;
  } finally {
    await server.close();
  }
}

async function openStream(context: SessionContext, incoming: SessionRequest): Promise<Response> {
  const { headers } = incoming.request;
  if (!/text\/event-stream|\*\/\*/.test(headers.get("Accept") ?? "*/*")) {
    throw new ServiceError("method_not_allowed", "GET opens a stream of events: send Accept: text/event-stream.");
  }
  const session = await requireSession(context, incoming);
  requireRevision(incoming.request);
  const lastEventId = headers.get("Last-Event-ID");
  const from = lastEventId === null || lastEventId === "" ? null : readEventId(lastEventId);
  if (from === null && lastEventId)
    throw new ServiceError("validation_error", "The Last-Event-ID belongs to no stream of this session.");
  const primes = (headers.get("MCP-Protocol-Version") ?? "") >= firstPrimedRevision;
  return from === null || from.stream === changesStream
    ? tailChanges(context, session, from, primes)
    : tailCall(context, session, from, primes);
}

/** The first revision whose clients accept an event without data. Earlier clients treat it as malformed. */
const firstPrimedRevision = "2025-11-25";

async function endSession(context: SessionContext, incoming: SessionRequest): Promise<Response> {
  const session = await requireSession(context, incoming);
  requireRevision(incoming.request);
  await context.backplane.drop(session.id);
  return new Response(null, { status: 200 });
}
