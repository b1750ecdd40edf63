export { guardApi } from "./api-guard.ts";

export {
  type Authenticate,
  actorOf,
  apiKeys,
  apiKeysAndTokens,
  type Credentials,
  channelTokens,
  refusal,
} from "./authenticate.ts";
export { maxJsonBytes, readBytes, readJsonBody } from "./body.ts";
export { byteStream } from "./byte-stream.ts";
export { contentDisposition } from "./content-disposition.ts";
export type { Edge, EdgeContext, EdgeMiddleware } from "./edge.ts";
export { edgeApp } from "./edge-app.ts";
export {
  AppSecret,
  DatabaseUrl,
  EnvironmentError,
  LogLevel,
  Origin,
  ProxyList,
  RedisUrl,
  readEnvironment,
  SecureUrl,
  Switch,
  wholeNumber,
} from "./env.ts";
export { type ErrorAnswer, errorAnswer, statusOf } from "./error-table.ts";
export { methodNotAllowed, tellError } from "./errors.ts";
export { type JsonSchema, typesOf } from "./fields.ts";
export { type HealthOptions, health } from "./health.ts";
export { createLifecycle, type Lifecycle } from "./lifecycle.ts";
export { createLogger, describeError, type Logger } from "./log.ts";
export { OauthTokenVariables, oauthKeysOf, requireTokenSecret } from "./oauth/settings.ts";
export { type ApiDocument, type ApiInfo, openApiDocument } from "./openapi/document.ts";
export { codesOf, everywhere } from "./openapi/responses.ts";
export { ifNoneMatchNames } from "./preconditions.ts";
export { type Ground, runProcess } from "./process.ts";
export { type ClientIp, clientIp, clientNetwork } from "./rate-limit/client-ip.ts";
export type { Allowance, Limiter, Verdict } from "./rate-limit/limiter.ts";
export { countRequest, type RateLimitOptions, rateLimit } from "./rate-limit/middleware.ts";
export { openLimits } from "./rate-limit/open.ts";
export { processLimiter } from "./rate-limit/process.ts";
export { redisLimiter } from "./rate-limit/redis.ts";
export { connectRedis } from "./redis.ts";
export { serveRows } from "./rest.ts";
export { type RouteOptions, type Row, route } from "./route.ts";
export { pagePolicy } from "./security-headers.ts";
export { type Fetch, type Running, type ServeOptions, serve } from "./server.ts";
export { browserSessions, type LoggedIn, type Sessions } from "./session.ts";
export { stopOnSignals } from "./signals.ts";
export { archiveOf } from "./zip/archive.ts";
