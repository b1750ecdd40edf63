import type { Actor, ExpectedCaller } from "@kb/auth";
import { requireMcp, ServiceError } from "@kb/core";
import {
  type Authenticate,
  confirmUser,
  countRequests,
  type EdgeContext,
  MalformedBodyError,
  methodNotAllowed,
  parseJsonText,
  type RateLimitOptions,
  subjectOf,
  textInTurn,
  withBytes,
} from "@kb/http";
import { isJSONRPCRequest, isJsonContentType, isLegacyRequest } from "@modelcontextprotocol/server";
import { authInfoOf, type Resource } from "./auth-info.ts";
import { callsReadOnlyTool } from "./called-tool.ts";
import { appOf, type Caller, principalOf } from "./caller.ts";
import { AcceptedEnvelopes, type DirectCall, directAnswer, directCallOf, type ToolCall } from "./direct-call.ts";
import { jsonRpcFailure, maxBatch } from "./json-rpc.ts";
import { serveModern } from "./modern.ts";
import { requestFacts } from "./request-facts.ts";
import type { SessionContext } from "./sessions/context.ts";
import { answerRead, directReadOf } from "./sessions/direct-read.ts";
import { serveSessions } from "./sessions/serve.ts";

/** The dependencies of the endpoint. */
export type EndpointContext = SessionContext & {
  readonly resource: Resource;
  readonly authenticate: Authenticate;
  readonly rate: RateLimitOptions;
};

/** The largest body of a request, in bytes. */
const maxBodyBytes = 4 * 1024 * 1024;

const methods = "GET, POST, DELETE";

/** Reads an authenticated request once and dispatches it by protocol revision. */
export function endpoint(endpointContext: EndpointContext) {
  const accepted = new AcceptedEnvelopes();
  return async (context: EdgeContext): Promise<Response> => {
    context.set("route", "/api/mcp");
    const request = context.req.raw;
    if (!methods.split(", ").includes(request.method)) {
      context.header("Allow", methods);
      throw methodNotAllowed(methods);
    }
    const message = request.method === "POST" ? readMessage(context) : undefined;
    const early = message === undefined ? undefined : await answerExpected(endpointContext, context, message, accepted);
    if (early !== undefined) return early;
    const actor = await confirmUser(context);
    const switchedAt = await requireMcp(endpointContext.service, actor);
    const caller = callerOf(context, actor, endpointContext.authenticate);
    const authInfo = authInfoOf(caller, endpointContext.resource);
    const disconnect = (): void => void context.env?.outgoing?.destroy();
    const incoming = { request, caller, authInfo, switchedAt, disconnect };
    if (message === undefined) {
      return toResponse(context, await serveSessions(endpointContext, incoming));
    }
    const body = await message;
    if (body === undefined) return toResponse(context, jsonRpcFailure(400, -32700, "Parse error: Invalid JSON"));
    await countBatch(context, endpointContext.rate, body);
    const usesSession = await isLegacyRequest(request, body);
    context.set("mcp", requestFacts(body, usesSession ? "sessions" : "stateless"));
    const answer = usesSession
      ? await serveSessions(endpointContext, { ...incoming, body })
      : await serveModern(endpointContext, { request, caller, authInfo, body });
    return toResponse(context, answer);
  };
}

/**
 * Answers a call of a tool that only reads, without a session, as the caller that the key had before: the key is looked up
 * together with the first statement of the tool. Returns undefined for any other request, and if the caller has changed.
 */
async function answerExpected(
  endpointContext: EndpointContext,
  context: EdgeContext,
  message: Promise<unknown>,
  accepted: AcceptedEnvelopes,
): Promise<Response | undefined> {
  const { expected } = context.var;
  // A message that cannot be read is refused after the caller is confirmed.
  const body = await message.catch(() => undefined);
  if (expected?.actor.mcp?.mcpEnabled !== true || !callsReadOnlyTool(body)) return undefined;
  const request = context.req.raw;
  const read = directReadOf(request, body);
  if (read !== undefined) {
    context.set("mcp", requestFacts(body, "sessions"));
    return answerExpectedRead(endpointContext, context, expected, read);
  }
  const call = expected.actor.credential.kind === "api_key" ? directCallOf(request, body) : undefined;
  const isAccepted = call !== undefined && accepted.has(call.envelope);
  if (!isAccepted && (await isLegacyRequest(request, body))) return undefined;
  context.set("mcp", requestFacts(body, "stateless"));
  const known = callerOf(context, expected.actor, endpointContext.authenticate);
  const caller = { ...known, call: { ...known.call, expected } };
  const direct = isAccepted ? await answerDirectly(endpointContext, caller, call) : undefined;
  const authInfo = authInfoOf(caller, endpointContext.resource);
  const answer = direct ?? (await serveModern(endpointContext, { request, caller, authInfo, body }));
  if ((await expected.confirm()) === expected.actor) {
    if (typeof answer === "string") {
      return context.body(await textInTurn(context, answer), 200, { "Content-Type": "application/json" });
    }
    if (call !== undefined) await accepted.learn(call, answer);
    return toResponse(context, answer);
  }
  if (typeof answer !== "string") await answer.body?.cancel();
  return undefined;
}

/** Answers a read in a session as the caller that the key had before. Returns undefined as `answerExpected` does. */
async function answerExpectedRead(
  endpointContext: EndpointContext,
  context: EdgeContext,
  expected: ExpectedCaller,
  read: ToolCall,
): Promise<Response | undefined> {
  const known = callerOf(context, expected.actor, endpointContext.authenticate);
  const caller = { ...known, call: { ...known.call, expected } };
  const switchedAt = expected.actor.mcp?.mcpSwitchedAt ?? null;
  const answer = await answerRead(endpointContext, { request: context.req.raw, caller, switchedAt }, read);
  if (answer === undefined || (await expected.confirm()) !== expected.actor) return undefined;
  return context.body(await textInTurn(context, answer.body), 200, answer.headers);
}

/** Answers a call like those that the SDK has accepted, without a server of the SDK. */
async function answerDirectly(
  { offer: { direct } }: EndpointContext,
  caller: Caller,
  call: DirectCall,
): Promise<string | undefined> {
  const result = await direct?.call(caller, call.tool, call.input);
  return direct === undefined || result === undefined ? undefined : directAnswer(call, result, direct.serverInfo);
}

function callerOf(context: EdgeContext, actor: Actor, authenticate: Authenticate): Caller {
  const { address, requestId } = context.var;
  const token = /^\S+ +(\S+)/.exec(context.req.header("Authorization") ?? "")?.[1] ?? "";
  const app = appOf(actor);
  return {
    actor,
    principal: principalOf(actor),
    ...(app === undefined ? {} : { app }),
    call: { address, requestId },
    authenticateAgain: () => authenticate(token, context),
  };
}

/** Returns the parsed body; undefined if it is not JSON. */
async function readMessage(context: EdgeContext): Promise<unknown> {
  const request = context.req.raw;
  if (!isJsonContentType(request.headers.get("Content-Type"))) {
    throw new ServiceError("unsupported_media_type", "Send the body as Content-Type: application/json (UTF-8).");
  }
  const owner = subjectOf(context);
  try {
    return await withBytes(request, { owner, maxBytes: maxBodyBytes }, (bytes) => parseJsonText(bytes, owner));
  } catch (error) {
    if (error instanceof MalformedBodyError) return undefined;
    throw error;
  }
}

/** Counts each request of a batch. The first one is counted already; a batch that is too long runs nothing. */
async function countBatch(context: EdgeContext, rate: RateLimitOptions, body: unknown): Promise<void> {
  if (!Array.isArray(body) || body.length > maxBatch) return;
  const others = body.filter((message) => isJSONRPCRequest(message)).length - 1;
  if (others > 0) await countRequests(context, rate, others);
}

/** Adds the common headers to the response. The headers of a stream take precedence. A long text waits for its turn. */
async function toResponse(context: EdgeContext, answer: Response): Promise<Response> {
  const streams = (answer.headers.get("Content-Type") ?? "").startsWith("text/event-stream");
  // Sends text in one piece, with its Content-Length.
  return context.newResponse(streams ? answer.body : await textInTurn(context, await answer.text()), answer);
}
