import { requireMcp, ServiceError } from "@kb/core";
import {
  type Authenticate,
  actorOf,
  countRequest,
  type EdgeContext,
  methodNotAllowed,
  type RateLimitOptions,
  readBytes,
} from "@kb/http";
import { isJsonContentType, isLegacyRequest } from "@modelcontextprotocol/server";
import { authInfoOf, type Resource } from "./auth-info.ts";
import { appOf, type Caller, principalOf } from "./caller.ts";
import { jsonRpcFailure } from "./json-rpc.ts";
import { serveModern } from "./modern.ts";
import { requestFacts } from "./request-facts.ts";
import type { SessionContext } from "./sessions/context.ts";
import { serveSessions } from "./sessions/serve.ts";

/** What answering a request stands on. */
export type EndpointContext = SessionContext & {
  readonly resource: Resource;
  readonly authenticate: Authenticate;
  readonly rate: RateLimitOptions;
};

/** The largest body of a request, in bytes. */
const maxBodyBytes = 4 * 1024 * 1024;

const methods = "GET, POST, DELETE";

/** Answers a request of somebody who is known: reads it once, and hands it to the revisions that it belongs to. */
export function endpoint(endpointContext: EndpointContext) {
  return async (context: EdgeContext): Promise<Response> => {
    context.set("route", "/api/mcp");
    const request = context.req.raw;
    if (!methods.split(", ").includes(request.method)) {
      context.header("Allow", methods);
      throw methodNotAllowed(methods);
    }
    const actor = actorOf(context);
    const switchedAt = await requireMcp(endpointContext.service, actor);
    const caller = callerOf(context, endpointContext.authenticate);
    const authInfo = authInfoOf(caller, endpointContext.resource);
    if (request.method !== "POST") {
      return sent(context, await serveSessions(endpointContext, { request, caller, authInfo, switchedAt }));
    }
    const body = await readMessage(request);
    if (body === undefined) return sent(context, jsonRpcFailure(400, -32700, "Parse error: Invalid JSON"));
    await countCalls(context, endpointContext.rate, body);
    const withSession = await isLegacyRequest(request, body);
    context.set("mcp", requestFacts(body, withSession ? "sessions" : "stateless"));
    const answer = withSession
      ? await serveSessions(endpointContext, { request, caller, authInfo, switchedAt, body })
      : await serveModern(endpointContext, { request, caller, authInfo, body });
    return sent(context, answer);
  };
}

function callerOf(context: EdgeContext, authenticate: Authenticate): Caller {
  const actor = actorOf(context);
  const { address, requestId } = context.var;
  const token = /^\S+ +(\S+)/.exec(context.req.header("Authorization") ?? "")?.[1] ?? "";
  const app = appOf(actor);
  return {
    actor,
    principal: principalOf(actor),
    ...(app === undefined ? {} : { app }),
    call: { address, requestId },
    again: () => authenticate(token, context),
  };
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The parsed body; undefined for what is not JSON. */
async function readMessage(request: Request): Promise<unknown> {
  if (!isJsonContentType(request.headers.get("Content-Type"))) {
    throw new ServiceError("unsupported_media_type", "Send the body as Content-Type: application/json (UTF-8).");
  }
  const bytes = await readBytes(request, maxBodyBytes);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
}

/** A batch is as many requests as there are calls in it. */
async function countCalls(context: EdgeContext, rate: RateLimitOptions, body: unknown): Promise<void> {
  const calls = Array.isArray(body) ? body.filter(isToolCall).length : 1;
  for (let counted = 1; counted < calls; counted += 1) await countRequest(context, rate);
}

function isToolCall(message: unknown): boolean {
  return typeof message === "object" && message !== null && Reflect.get(message, "method") === "tools/call";
}

/** The answer, with the headers that every answer of the service has; what a stream says of itself goes first. */
async function sent(context: EdgeContext, answer: Response): Promise<Response> {
  const streams = (answer.headers.get("Content-Type") ?? "").startsWith("text/event-stream");
  // A text is written in one go, with its length.
  return context.newResponse(streams ? answer.body : await answer.text(), answer);
}
