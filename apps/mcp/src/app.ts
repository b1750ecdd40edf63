import type { OauthKeys } from "@kb/auth";
import type { Service } from "@kb/core";
import {
  apiKeysAndTokens,
  type Edge,
  edgeApp,
  guardApi,
  health,
  type Lifecycle,
  type Logger,
  type RateLimitOptions,
} from "@kb/http";
import type { Outgoing } from "@kb/outgoing";
import type { Hono } from "hono";
import type { Redis } from "ioredis";
import { challenges, refusedToken } from "./challenges.ts";
import { ChangeFeed } from "./changes/feed.ts";
import { endpoint } from "./endpoint.ts";
import { knowledgeBase, type Offer } from "./offer.ts";
import { ownOrigin } from "./own-origin.ts";
import { ProcessBackplane } from "./sessions/process.ts";
import { redisBackplane } from "./sessions/redis.ts";
import { SessionSignals } from "./sessions/signals.ts";
import { OpenStreams } from "./streams/open-streams.ts";
import { watchStreams } from "./streams/watch.ts";
import { version } from "./version.ts";

/** What the MCP endpoint stands on. */
export type McpOptions = RateLimitOptions & {
  readonly service: Service;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  /** Where sessions live that every instance serves; without it they live in this process. */
  readonly redis?: Redis | undefined;
  /** By what the tokens of apps are known, and a 401 says where they are had; absent where no app may connect. */
  readonly oauthKeys?: OauthKeys | undefined;
  /** How an image at an address is fetched. */
  readonly outgoing: Outgoing;
  /** What is served; the knowledge base where nothing else is given. */
  readonly offer?: Offer;
};

/** What of the service's paths is the endpoint's own. */
export const mcpPaths = ["/api/mcp"] as const;

/** An app that holds connections, timers and streams until it is closed. */
export type Mcp = { readonly app: Hono<Edge>; close(): void };

/** `/api/mcp`: the Model Context Protocol over Streamable HTTP, revisions with sessions and without. */
export function createMcp(options: McpOptions): Mcp {
  const { service, logger, lifecycle, redis, oauthKeys } = options;
  const { appUrl } = service;
  const backplane = redis === undefined ? new ProcessBackplane() : redisBackplane(redis, logger);
  const streams = new OpenStreams();
  const feed = new ChangeFeed(service, logger);
  const offer = options.offer ?? knowledgeBase(service, options.outgoing, logger);
  const context = { service, logger, offer, streams, feed, backplane, signals: new SessionSignals(backplane) };
  const stopWatching = watchStreams(service, streams, logger);
  // First the streams: the server would wait for them for ever.
  lifecycle.signal.addEventListener("abort", () => streams.endAll(), { once: true });

  const metadataUrl = oauthKeys === undefined ? undefined : `${appUrl}/.well-known/oauth-protected-resource/api/mcp`;
  const authenticate = apiKeysAndTokens(service, oauthKeys);
  const app = edgeApp({ logger, clientIp: options.clientIp, appUrl, telemetry: service.telemetry });
  app.get("/api/health", health({ database: service.database, redis, lifecycle, version }));
  app.use("/api/mcp", ownOrigin(appUrl), challenges(metadataUrl));
  guardApi(app, { ...options, authenticate, refusal: refusedToken });
  const resource = { url: new URL(`${appUrl}/api/mcp`), ...(metadataUrl === undefined ? {} : { metadataUrl }) };
  app.all("/api/mcp", endpoint({ ...context, resource, authenticate, rate: options }));
  return {
    app,
    close: () => {
      stopWatching();
      feed.stop();
      streams.endAll();
      backplane.close();
    },
  };
}
