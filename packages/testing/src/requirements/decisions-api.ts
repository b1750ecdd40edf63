import { section } from "./section.ts";

const shape = section("Decisions: shape of the API", {
  "decision.api.success-status":
    "200; 201 for POST that creates (documents, collections, a new tag; a reused tag is 200)",
  "decision.api.error-body": "{error, code, details?}: code stable snake_case, details a list of {path, message}",
  "decision.api.revision-conflict":
    "A revision conflict has one detail {path, message, currentRevision, diff?}; diff is unified Markdown lines from the expected revision to the current one",
  "decision.api.code.authentication": "authentication_required 401, invalid_api_key 401",
  "decision.api.code.forbidden": "insufficient_scope 403, forbidden 403",
  "decision.api.code.not-found": "not_found 404, not_in_trash 404",
  "decision.api.code.method-not-allowed": "method_not_allowed 405",
  "decision.api.code.conflict": "revision_conflict 409 (body field) or 412 (If-Match), conflict 409",
  "decision.api.code.sync-window": "sync_window_expired 410",
  "decision.api.code.payload": "payload_too_large 413, unsupported_media_type 415",
  "decision.api.code.validation": "validation_error 400, inline_image_rejected 400",
  "decision.api.code.edits": "heading_not_found 404, text_not_found 404, text_ambiguous 409",
  "decision.api.code.unavailable":
    "unavailable 503 with Retry-After when the database is away or saturated, never a hang or a 500",
  "decision.api.www-authenticate": "401 on REST has WWW-Authenticate: Bearer",
  "decision.api.hidden":
    "A resource that the caller may not read answers exactly like one that does not exist (404, same body), in lists, counts, search and tags too",
  "decision.api.unknown-body-key": "A JSON body with an unknown key is a validation error that names the key",
  "decision.api.unknown-query-parameter": "Unknown query parameters are a validation error that names them",
  "decision.api.uuid-path": "A malformed id in a path is 404 with any method",
  "decision.api.uuid-body": "A malformed id in a body or a query is 400",
  "decision.api.uuid-unknown":
    "A well-formed id of a collection or parent that is hidden or unknown: 404 in a body, an empty list in a filter",
  "decision.api.text-controls":
    "NUL, other C0 controls (but tab and line feed) and lone surrogates in a string are 400, except inside Markdown, where they are repaired",
  "decision.api.timestamps": "Timestamps are stored and shown with millisecond precision, UTC, Z",
  "decision.api.request-id": "X-Request-Id accepted (1-128 of [A-Za-z0-9._-]) or made, echoed, logged",
  "decision.api.body-limit": "JSON 5 MB; over it 413 before the body is read into memory",
  "decision.api.markdown-limit": "Markdown body 1,500,000 characters; over it 413",
  "decision.api.openapi":
    "OpenAPI 3.1.0, generated from the schemas that validate, served at /openapi.json; every response of the suite is validated against it",
  "decision.api.docs-page": "The API description is a page at /docs, outside /api/*, without a CDN",
  "decision.api.unknown-path":
    "Below /api/* without credentials any path is 401; with good ones an unknown path is 404",
  "decision.api.bare-domain":
    "POST / (and GET / with Accept: text/event-stream) answers 405 with Allow: GET and an error that names {base_url}/api/mcp",
  "decision.api.health":
    '200 {status:"ok",version,checks:{database,redis}}; 503 with status "degraded" when a check fails',
  "decision.api.health-ready": "GET /api/health?ready=1 is 503 only while the process stops",
  "decision.api.health-live": "GET /api/health?live=1 answers without touching anything",
  "decision.api.idempotency-replay":
    "Idempotency-Key on every REST POST: same key and same request replays the stored answer, with Idempotency-Replayed: true",
  "decision.api.idempotency-mismatch": "The same key with another request is 409 idempotency_mismatch",
  "decision.api.idempotency-running": "A replay while the first still runs is 409 conflict with Retry-After: 1",
});

const access = section("Decisions: who may do what", {
  "decision.access.key-format":
    "An API key is kb_, 30 random base62 characters and a checksum; a key with a wrong checksum is refused without a database look-up",
  "decision.access.key-owner": "A key acts as its owner, never above it: a suspended owner's keys stop at once",
  "decision.access.key-expiry": "A key past its expiry is refused",
  "decision.access.scopes": "write does not imply read unless both were chosen; admin implies both",
  "decision.access.restricted":
    "Restricted mode: what is not listed is none, a document's entry overrides its collection's, it only narrows",
  "decision.access.restricted-views":
    "A restricted key creates no collections, and sees tags, counts, search hits and sync rows only through what it can read",
  "decision.access.groups":
    "Groups hold capabilities: Admins, Editors, Members and Viewers may do what their table says",
  "decision.access.members-own": "Members publish and delete what they themselves created",
  "decision.access.collection":
    "Collection access: the team's default none, read or write, plus grants to groups and users; the highest wins",
  "decision.access.two-forms":
    "One policy decides every access, in SQL for lists and in code for one row, and the two forms agree",
  "decision.api.health-disk": "A last write that failed for lack of disk space is degraded; recovers by itself",
  "decision.access.rate-limit":
    "Sliding window of 60 s per user (all of a user's credentials together), per client IP otherwise; X-RateLimit-Limit, -Remaining, -Reset on every answer",
  "decision.access.rate-limit-sessions":
    "Browser sessions have a separate window (RATE_LIMIT_SESSION_PER_MINUTE, 600): the same user's keys and apps keep their 100",
  "decision.access.rate-limit-pages": "Pages outside /api/* have another window: 300 an address",
  "decision.access.cost-budget":
    "Each user has a budget of CPU time and bytes a minute that normal use never reaches; exceeding it is the same 429",
  "decision.access.rate-limit-redis":
    "In Redis where REDIS_URL is set, in the process otherwise; a Redis that fails falls back to the process",
  "decision.access.trusted-proxies": "The client IP is the socket's unless TRUSTED_PROXIES names the peer",
  "decision.access.sessions":
    "A browser session is a token of 32 random bytes of which the hash is stored, for 30 days after its last use; it ends when its user is suspended",
  "decision.access.sessions-password": "Sessions end when their user's password is changed",
  "decision.access.log-in-forms":
    "Log-in and log-out are plain HTML forms at /login and /logout that work without script, with 303 after POST",
  "decision.access.return-to": "A log-in goes on to a path of its own origin, whatever the address or the form says",
  "decision.access.oidc":
    "OIDC single sign-on with OIDC_* set: PKCE, state and nonce; it knows people by the e-mail address that the provider has verified",
  "decision.access.no-usable-secret": "A dump of the database holds no usable secret, and neither does the log",
  "decision.access.log-in-throttle":
    "Failed log-ins: 10 per 15 minutes per account and per IP; an account that is failed at from elsewhere stays open to its owner",
  "decision.access.csrf": "A session's state-changing requests need a matching Origin and the session's CSRF token",
});

/** Decisions on points that the contract leaves open: the shape of the API and access. */
export const apiDecisions = { ...shape, ...access };
