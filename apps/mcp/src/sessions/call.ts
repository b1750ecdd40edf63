import { describeError } from "@kb/http";
import {
  type AuthInfo,
  type JSONRPCMessage,
  type McpServer,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { retryMs } from "../streams/sse.ts";
import { type CallLog, callLog } from "./call-log.ts";
import type { Session, SessionContext } from "./context.ts";
import { sessionServer } from "./server.ts";

/** A POST with requests: its body, the requests in it, and what the SDK is told of the caller. */
export type Asked = {
  readonly request: Request;
  readonly body: unknown;
  readonly requests: readonly RequestId[];
  readonly authInfo: AuthInfo;
};

/**
 * Answers requests of a session. The session's server is built for them alone, wherever they come in, by replaying its
 * `initialize`; a client that goes away does not end the work, and finds the answer in the log.
 */
export async function answerRequests(context: SessionContext, session: Session, asked: Asked): Promise<Response> {
  const { backplane, logger } = context;
  const log = callLog({ backplane, session: session.id, requests: asked.requests, logger });
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => session.id,
    eventStore: log.store,
    retryInterval: retryMs,
  });
  const server = sessionServer(context, session.id, session.caller);
  await server.connect(transport);
  await replay(transport, session, asked.authInfo, log);
  const end = keepOpen(context, session, { transport, server, log, authInfo: asked.authInfo });
  const response = await transport.handleRequest(asked.request, { parsedBody: asked.body, authInfo: asked.authInfo });
  // Refused before it was begun: nothing will be answered.
  if (!(response.headers.get("Content-Type") ?? "").startsWith("text/event-stream")) end();
  return response;
}

/** Makes the transport and its server know the client again; the answer was given when the session began. */
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

/** Only its method and headers are looked at: the message comes beside it. */
const replayRequest = new Request("http://localhost/api/mcp", {
  method: "POST",
  headers: { Accept: "application/json, text/event-stream", "Content-Type": "application/json" },
});

type Live = {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: McpServer;
  readonly log: CallLog;
  readonly authInfo: AuthInfo;
};

/** Lets what other requests of the session say reach the work, until it is answered or ended. Gives what ends it. */
function keepOpen({ signals, streams, logger, service }: SessionContext, session: Session, live: Live): () => void {
  const { transport, server, log, authInfo } = live;
  let ended = false;
  const end = (): void => {
    if (ended) return;
    ended = true;
    stopHearing();
    forget();
    log.end();
    server.close().catch((error: unknown) => logger.warn({ cause: describeError(error) }, "a session's server"));
  };
  const deliver = (message: JSONRPCMessage): void => transport.onmessage?.(message, { authInfo });
  const stopHearing = signals.on(session.id, (signal) => {
    if (signal.kind === "closed") end();
    if (signal.kind === "message") deliver(signal.message);
  });
  const { actor, principal } = session.caller;
  const forget = streams.add({ actor, principal, openedAt: service.clock.now(), end });
  // The transport writes the answer after it was kept.
  void log.answered.then(() => setImmediate(end));
  return end;
}
