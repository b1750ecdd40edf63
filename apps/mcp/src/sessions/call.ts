import { byteStream, retryMs, untilStalled } from "@kb/http";
import { describeError } from "@kb/runtime";
import {
  type AuthInfo,
  type JSONRPCMessage,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { calledTool } from "../called-tool.ts";
import type { CallRequest } from "./backplane.ts";
import { type CallLog, callLog } from "./call-log.ts";
import type { Session, SessionContext } from "./context.ts";
import { type AnswerPace, limitConcurrency } from "./limit-concurrency.ts";
import { messagesInTurn } from "./messages-in-turn.ts";
import { sessionServer } from "./server.ts";

/** A POST that contains requests: its body, the requests, and the caller's data for the SDK. */
export type RequestPost = {
  readonly request: Request;
  readonly body: unknown;
  readonly requests: readonly CallRequest[];
  readonly authInfo: AuthInfo;
  /** Ends the connection of a client that takes nothing of the answer. */
  readonly disconnect: () => void;
};

/** Maximum number of requests of one batch that run at the same time. */
const maxConcurrentRequests = 4;

/**
 * Answers requests of a session. Builds a server for this POST by replaying the session's `initialize`, so that any
 * instance can answer. The work continues if the client disconnects, and the log keeps the response.
 */
export async function answerRequests(context: SessionContext, session: Session, post: RequestPost): Promise<Response> {
  const { backplane, logger } = context;
  const owner = { session: session.id, principal: session.record.principal };
  const log = callLog({ backplane, owner, requests: post.requests, logger });
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => session.id,
    eventStore: log.store,
    retryInterval: retryMs,
  });
  const server = sessionServer(context, session.id, session.caller, calledTool(post.body));
  await server.connect(transport);
  await replay(transport, session, post.authInfo, log);
  const pace = limitConcurrency(transport, maxConcurrentRequests, log.cancel);
  const end = keepOpen(context, session, { transport, server, log, authInfo: post.authInfo });
  const response = await transport.handleRequest(post.request, { parsedBody: post.body, authInfo: post.authInfo });
  // The request was rejected before it started, so no response will follow.
  if (response.body === null || !(response.headers.get("Content-Type") ?? "").startsWith("text/event-stream")) {
    end();
    return response;
  }
  const { userId } = session.caller.actor;
  const receiver = { userId, signal: post.request.signal, disconnect: post.disconnect };
  const messages = messagesInTurn(takenFrom(response.body, pace), receiver);
  const sending = untilStalled(messages, pace.abandon, post.disconnect);
  return new Response(byteStream(sending), response);
}

/** Reads a stream of messages, and reports each when the client asks for the next. */
async function* takenFrom(body: ReadableStream<Uint8Array>, pace: AnswerPace): AsyncGenerator<Uint8Array> {
  for await (const message of body) {
    yield message;
    pace.taken();
  }
}

/** Restores the state of the transport and its server. Discards the response, which the client already has. */
async function replay(
  transport: WebStandardStreamableHTTPServerTransport,
  session: Session,
  authInfo: AuthInfo,
  log: CallLog,
): Promise<void> {
  const { initialize } = session.record;
  const answer = await transport.handleRequest(replayRequest, { parsedBody: initialize, authInfo });
  if (answer.status !== 200) throw new Error(`a session's initialize was refused with ${answer.status}`);
  await log.replayed;
  answer.body?.cancel().catch(() => {});
  log.begin();
}

/** The HTTP request of the replay. The transport reads its method and headers; the message is passed separately. */
const replayRequest = new Request("http://localhost/api/mcp", {
  method: "POST",
  headers: { Accept: "application/json, text/event-stream", "Content-Type": "application/json" },
});

type RunningCall = {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: McpServer;
  readonly log: CallLog;
  readonly authInfo: AuthInfo;
};

/** Delivers messages of the session's other requests to the call until it ends. Returns a function that ends it. */
function keepOpen(
  { signals, streams, logger, service }: SessionContext,
  session: Session,
  call: RunningCall,
): () => void {
  const { transport, server, log, authInfo } = call;
  let ended = false;
  const end = (): void => {
    if (ended) return;
    ended = true;
    stopListening();
    removeStream();
    log.end();
    server.close().catch((error: unknown) => logger.warn({ cause: describeError(error) }, "a session's server"));
  };
  const deliver = (message: JSONRPCMessage): void => transport.onmessage?.(message, { authInfo });
  const stopListening = signals.on(session.id, (signal) => {
    if (signal.kind === "closed") end();
    if (signal.kind === "message") deliver(signal.message);
  });
  const { actor, principal } = session.caller;
  const removeStream = streams.add({ actor, principal, openedAt: service.clock.now(), end, untilAnswered: true });
  // The transport writes the response only after it was stored, so the call ends one turn later.
  void log.answered.then(() => setImmediate(end));
  return end;
}
