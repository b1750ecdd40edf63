import type { OauthKeys } from "@kb/auth";
import type { Service } from "@kb/core";
import {
  type Edge,
  edgeApp,
  expectedApiKeysAndTokens,
  guardApi,
  health,
  type RateLimitOptions,
  type Streaming,
} from "@kb/http";
import type { Outgoing } from "@kb/outgoing";
import type { Lifecycle, Logger } from "@kb/runtime";
import type { Hono } from "hono";
import type { Redis } from "ioredis";
import { challenges, refusedToken } from "./challenges.ts";
import { endpoint } from "./endpoint.ts";
import { jsonRpcRefusal } from "./json-rpc-refusal.ts";
import { knowledgeBase, type Offer } from "./offer.ts";
import { ownOrigin } from "./own-origin.ts";
import { ProcessBackplane } from "./sessions/process.ts";
import { redisBackplane } from "./sessions/redis.ts";
import { SessionSignals } from "./sessions/signals.ts";
import { version } from "./version.ts";

/** The dependencies of the MCP endpoint. */
export type McpOptions = RateLimitOptions & {
  readonly service: Service;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  /** The process's change feed and open streams; the caller closes it. */
  readonly streaming: Streaming;
  /** Keeps the sessions, so that every instance serves them. Without it they live in this process. */
  readonly redis?: Redis | undefined;
  /** Authenticates the tokens of apps. Absent where no app may connect. */
  readonly oauthKeys?: OauthKeys | undefined;
  /** Fetches the images that `upload_image` names by address. */
  readonly outgoing: Outgoing;
  /** The tools and resources. Default: those of the knowledge base. */
  readonly offer?: Offer;
};

/** The paths that the endpoint serves. */
export const mcpPaths = ["/api/mcp"] as const;

/** An app that holds its sessions until it is closed. */
export type Mcp = { readonly app: Hono<Edge>; close(): void };

/** Creates `/api/mcp`: the Model Context Protocol over Streamable HTTP, in revisions with and without sessions. */
export function createMcp(options: McpOptions): Mcp {
  const { service, logger, lifecycle, redis, oauthKeys } = options;
  const { appUrl } = service;
  const backplane = redis === undefined ? new ProcessBackplane() : redisBackplane(redis, logger);
  const offer = options.offer ?? knowledgeBase(service, options.outgoing, logger);
  const { changes, streams } = options.streaming;
  const context = { service, logger, offer, streams, changes, backplane, signals: new SessionSignals(backplane) };

  const metadataUrl = oauthKeys === undefined ? undefined : `${appUrl}/.well-known/oauth-protected-resource/api/mcp`;
  const { authenticate, expect } = expectedApiKeysAndTokens(service, oauthKeys);
  const app = edgeApp({ logger, clientIp: options.clientIp, appUrl, telemetry: service.telemetry });
  app.get("/api/health", health({ database: service.database, files: service.files, redis, lifecycle, version }));
  app.use("/api/mcp", ownOrigin(appUrl), challenges(metadataUrl), jsonRpcRefusal());
  guardApi(app, { ...options, authenticate, expect, expectsAnyMethod: true, refusal: refusedToken });
  const resource = { url: new URL(`${appUrl}/api/mcp`), ...(metadataUrl === undefined ? {} : { metadataUrl }) };
  app.all("/api/mcp", endpoint({ ...context, resource, authenticate, rate: options }));
  return { app, close: () => backplane.close() };
}
