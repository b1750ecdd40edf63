import { section } from "./section.ts";

const overview = section("What the service does", {
  "service.workspace": "Documents are stored inside collections; each team has its own workspace",
  "service.ids": "All identifiers are UUIDs",
  "service.timestamps": "All timestamps are ISO 8601 date-time strings",
  "service.json": "All JSON bodies use Content-Type: application/json",
  "service.api-authenticated": "Every /api/* route except the health check is authenticated",
  "service.health": "GET /api/health is a health check",
});

const user = section("Authenticated user", {
  "user.field.id": "id: string uuid",
  "user.field.name": "name: string",
  "user.field.email": "email: string, email format",
  "user.field.team-id": "teamId: string uuid",
  "user.field.role": "role: string, DEPRECATED; allowed values admin, member, viewer",
  "user.field.capabilities": 'capabilities: array of string; granted capabilities; system admins receive ["*"]',
  "user.role.admin": "A user holding settings.team_edit, or a system admin, has role admin",
  "user.role.member": "Otherwise a user holding document.create has role member",
  "user.role.viewer": "Otherwise the role is viewer",
  "user.me": "GET /api/v1/me answers {data: User}",
  "user.me.capabilities": "GET /api/v1/me returns the caller's capabilities",
});

const authentication = section("Authentication", {
  "auth.bearer": "API key: Bearer token with prefix kb_, sent as Authorization: Bearer <API_KEY> on every REST request",
  "auth.scopes": "A key carries scopes from read, write, admin",
  "auth.scope.read": "read suffices for listing and getting",
  "auth.scope.read-export": "read suffices for exporting",
  "auth.scope.write": "write is needed for create, update and delete",
  "auth.restricted.collections":
    "Restricted mode, optional per key: access is set per collection (No access, Read only, Read + write)",
  "auth.restricted.documents": "Restricted mode has per-document overrides",
  "auth.restricted.hidden":
    "Collection fetch with a restricted key that has no read access answers not found, so existence is never confirmed",
  "auth.restricted.mcp": "The same rules of restricted mode apply to MCP and to /api/v1/",
  "auth.export.checks":
    "Export needs three checks: the key has read scope, the collection is in the key's allowlist when restricted, and the caller has read access to the collection",
  "auth.key-created-in-app": "A key is created in the app under Settings, Developers",
});

const errors = section("Errors", {
  "errors.body": "JSON error body {error: string}, a human-readable message, with an HTTP 4xx or 5xx status",
  "errors.unauthorized": "Missing or invalid API key: error response (Unauthorized)",
  "errors.scope.collection-fetch": "API key lacks the read scope (collection fetch): error response (Forbidden)",
  "errors.scope.webhook-list": "API key lacks the read scope (webhook list): error response (Forbidden)",
  "errors.scope.export": "API key lacks the read scope (export): error response (Forbidden)",
  "errors.export-permission": "Export with insufficient permission on the collection: Forbidden",
  "errors.validation": "Invalid request body: Validation error response",
  "errors.document-not-found": "Document not found: Not found",
  "errors.restore-not-in-trash": "Restore of a document not in the trash: Not found",
  "errors.collection-not-found": "Collection not found, or restricted key without access: Not found",
  "errors.rate-limit": "Rate limit exceeded: 429",
  "errors.rate-limit.headers": "429 has headers X-RateLimit-Limit, X-RateLimit-Remaining, Retry-After",
  "errors.rate-limit.body": "429 has body {error, retryAfterSeconds}",
  "errors.bare-domain": "Request to the bare domain as if it were the MCP endpoint: 405",
});

const limits = section("Limits", {
  "limits.document-title": "Document title: at most 255 characters (create and update document)",
  "limits.collection-name": "Collection name: 1 to 255 characters (create collection)",
  "limits.page-size": "Page size: default 25, maximum 100 (document list, standard pagination)",
  "limits.sync-page-size": "Default page size with updatedSince: 500 (document list, incremental sync)",
  "limits.request-rate":
    "Request rate: about 100 requests per minute per authenticated user or client IP, sliding window; all /api/* routes",
  "limits.health-exempt": "Health check: exempt from the global rate limit",
});

const versioning = section("Versioning", {
  "versioning.prefix": "The REST API is versioned by the path prefix /api/v1/",
  "versioning.openapi": "The API description is OpenAPI 3.1.0, licensed MIT",
  "versioning.role-deprecated":
    "The role field of GET /api/v1/me is deprecated; it is removed in release v0.2.0, while the endpoint itself remains",
  "versioning.sunset": "GET /api/v1/me has Sunset (RFC 8594): Sun, 15 Nov 2026 00:00:00 GMT",
  "versioning.link": 'GET /api/v1/me has Link (RFC 8288): <{deprecation_url}>; rel="deprecation"; type="text/html"',
});

/** Requirements of the contract for the service as a whole: callers, errors, limits, versions. */
export const serviceRequirements = { ...overview, ...user, ...authentication, ...errors, ...limits, ...versioning };
