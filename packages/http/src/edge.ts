import type { HttpBindings } from "@hono/node-server";
import type { Actor, ChannelReader } from "@kb/auth";
import type { Context, MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import type { JsonBody } from "./body.ts";

/** What a request carries through the edge; every app of the service is a Hono app of this environment. */
export type Edge = {
  /** Node's own objects; absent where a test calls the app without a socket. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    log: Logger;
    /** The client's address, as `clientIp` finds it; empty where a test calls the app without a socket. */
    address: string;
    /** The caller, where the credential was good. */
    actor?: Actor;
    /** The caller by a channel's token, where that was good. */
    channel?: ChannelReader;
    /** Why there is no caller: what `requireActor` throws. */
    denied?: unknown;
    /** The CSRF token of the log-in that the caller is known by. */
    csrfToken?: string;
    /** The request's body, where it was read to find the CSRF token in it; without that token. */
    body?: JsonBody;
    /** `/api/v1/documents/{id}`: what the log shows of the path. */
    route?: string;
    /** `documents.update`. */
    operation?: string;
    /** What the rate limiter said last. */
    allowance?: { readonly limit: number; readonly remaining: number };
    /** Of a request of the Model Context Protocol: few values each, and none that a client could make up. */
    mcp?: { readonly era: string; readonly method: string; readonly tool?: string };
    /** Set by the error handler, for the log. */
    failure?: { readonly code: string; readonly cause?: unknown };
  };
};

export type EdgeContext = Context<Edge>;
export type EdgeMiddleware = MiddlewareHandler<Edge>;
