export {
  type Authenticate,
  apiKeys,
  apiKeysAndTokens,
  type Credentials,
  channelTokens,
  confirmUser,
  expectedApiKeys,
  expectedApiKeysAndTokens,
  invalidKeyError,
  requireUser,
} from "./authenticate.ts";
export { refuseMcpClients } from "./bare-domain.ts";
export { type BrowserSession, browserSessions, type Sessions } from "./browser-sessions.ts";
export { byteStream } from "./byte-stream.ts";
export { chargeCost } from "./charge-cost.ts";
export { type ClientIp, clientIp, clientNetwork } from "./client-ip.ts";
export { contentDisposition } from "./content-disposition.ts";
export type { Edge, EdgeContext, EdgeMiddleware } from "./edge.ts";
export { edgeApp } from "./edge-app.ts";
export { methodNotAllowed, recordError } from "./error-handlers.ts";
export { type ErrorAnswer, errorAnswer, statusOf } from "./error-table.ts";
export { type JsonSchema, typesOf } from "./fields.ts";
export { guardApi } from "./guard-api.ts";
export { health } from "./health.ts";
export { HeavyAnswers, heavyBytes } from "./heavy-answers.ts";
export { maxJsonBytes, readBytes, readJsonBody, withBytes } from "./json-body.ts";
export { MalformedBodyError, parseJsonText } from "./json-text.ts";
export { OauthTokenVariables, oauthKeysOf, requireTokenSecret } from "./oauth-token-variables.ts";
export { type ApiDocument, type ApiInfo, openApiDocument } from "./openapi/document.ts";
export { codesOf, commonCodes } from "./openapi/responses.ts";
export { hasNoneMatchTag } from "./preconditions.ts";
export { preferredLanguage } from "./preferred-language.ts";
export {
  type BudgetOptions,
  countRequests,
  limitPages,
  type RateLimitOptions,
  rateLimit,
  requireBudget,
} from "./rate-limit.ts";
export { type RequestLimits, requestLimits } from "./request-limits.ts";
export { serveRows } from "./rest.ts";
export { type RouteOptions, type Row, route } from "./route.ts";
export { runEdgeProcess } from "./run-edge-process.ts";
export { pagePolicy } from "./security-headers.ts";
export { textInTurn } from "./send-in-turn.ts";
export { type Fetch, serve } from "./serve.ts";
export { type EventStream, eventStream, retryMs } from "./streams/event-stream.ts";
export { openStreaming, type Streaming } from "./streams/open-streaming.ts";
export { OpenStreams } from "./streams/open-streams.ts";
export { subjectOf } from "./subject.ts";
export { untilStalled } from "./until-stalled.ts";
export { archiveOf } from "./zip/archive.ts";
