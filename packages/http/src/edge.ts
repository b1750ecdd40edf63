import type { HttpBindings } from "@hono/node-server";
import type { Caller, ExpectedCaller } from "@kb/auth";
import type { Logger } from "@kb/runtime";
import type { CpuMeter } from "@kb/telemetry";
import type { Context, MiddlewareHandler } from "hono";
import type { JsonBody } from "./json-body.ts";

/** The Hono environment of every app: the values that a request carries through the edge. */
export type Edge = {
  /** Node's request and response; absent where a test calls the app without a socket. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    log: Logger;
    /** The client's address, as `clientIp` finds it; empty where a test calls the app without a socket. */
    address: string;
    /** The caller, once a valid credential was found. */
    caller?: Caller | undefined;
    /** The caller, where the credential is looked up together with the first statement of the operation. */
    expected?: ExpectedCaller;
    /** The error that `refuseUnidentified` throws when there is no caller. */
    authenticationError?: unknown;
    /** The body of the request without its CSRF token; set where the body was read to find that token. */
    body?: JsonBody;
    /** The pattern of the path for the log, such as `/api/v1/documents/{id}`. */
    route?: string;
    /** Whether the path contains a secret, which the log must not show. */
    hasSecretPath?: boolean;
    /** The name of the operation, such as `documents.update`. */
    operation?: string;
    /** The latest decision of the rate limiter. */
    allowance?: { readonly limit: number; readonly remaining: number };
    /** The processor time of the request so far; absent where the caller has no budget. */
    cpuMeter?: CpuMeter;
    /** Set for MCP requests. Each field has few possible values, none of them chosen by a client. */
    mcp?: { readonly era: string; readonly method: string; readonly tool?: string };
    /** Set by the error handler for the log. */
    failure?: { readonly code: string; readonly cause?: unknown };
  };
};

/** The context of a request in any app. */
export type EdgeContext = Context<Edge>;
/** Middleware of any app. */
export type EdgeMiddleware = MiddlewareHandler<Edge>;
