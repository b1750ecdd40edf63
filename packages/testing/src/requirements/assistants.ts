import { section } from "./section.ts";

const endpoint = section("MCP endpoint", {
  "mcp.purpose": "An MCP endpoint lets AI assistants search, read and edit documents",
  "mcp.post": "POST /api/mcp: MCP JSON-RPC messages (Streamable HTTP transport)",
  "mcp.get": "GET /api/mcp: SSE stream for server-initiated messages",
  "mcp.delete": "DELETE /api/mcp: session cleanup",
  "mcp.credentials":
    "Requests carry Authorization: Bearer <API_KEY> or an OAuth access token; an API key is sent on every MCP request",
  "mcp.enabled": "MCP must be enabled for the team",
  "mcp.toggle":
    "Team admins turn MCP on or off per team; enabling it and managing connected apps need developer.mcp, which by default only Admins hold",
  "mcp.unauthorized": "Missing or invalid API key on /api/mcp: 401",
  "mcp.write-scope": "MCP tools that mutate content require write",
  "mcp.markdown-only":
    "MCP writes accept Markdown only, in the parameter markdown, never structured editor JSON; get_document returns the body only as Markdown",
  "mcp.upload-or-url": "Images are attached with the tool upload_image or referenced by an externally reachable URL",
});

const tools = section("MCP tools", {
  "mcp.create-document": "create_document: markdown among others; creates a document from Markdown; write scope",
  "mcp.update-document": "update_document: markdown among others; updates a document",
  "mcp.get-document": "get_document: document id; returns the body as Markdown, plus a canWrite flag",
  "mcp.append-to-document":
    "append_to_document: id, markdown; appends the fragment to the end, separated by a blank line",
  "mcp.prepend-to-document": "prepend_to_document: id, markdown; inserts the fragment at the top",
  "mcp.insert-after-heading":
    "insert_after_heading: inserts after the first heading whose text matches (case-insensitive, trimmed)",
  "mcp.insert-after-heading.not-found": "insert_after_heading with no matching heading: HEADING_NOT_FOUND",
  "mcp.delete-document":
    "delete_document with confirm: true after a first call without confirm: in trash; returns status deleted, the id and deletedAt",
  "mcp.delete-document.confirm":
    "delete_document without confirm changes nothing; returns confirm_required and a preview with title, collection name and body length; not an error",
  "mcp.no-hard-delete": "MCP has no hard delete",
  "mcp.list-collections": "list_collections: returns collections, each with canWrite",
  "mcp.search": "search: searches documents",
  "mcp.upload-image": "upload_image: attaches an image to a document",
  "mcp.targeted-edits":
    "The three targeted-edit tools keep existing content, need write scope and write access, and use the same Markdown conversion as create_document",
  "mcp.inline-image": "MCP Markdown with an inline base64 image: rejected",
});

const oauth = section("OAuth endpoints for MCP clients", {
  "oauth.protected-resource": "GET /.well-known/oauth-protected-resource: protected-resource metadata (RFC 9728)",
  "oauth.authorization-server": "GET /.well-known/oauth-authorization-server: authorization-server metadata (RFC 8414)",
  "oauth.register": "POST /oauth/register: dynamic client registration (RFC 7591)",
  "oauth.authorize": "GET and POST /oauth/authorize: authorization and consent screen; PKCE method S256",
  "oauth.token": "POST /oauth/token: token issue and refresh, with refresh-token rotation",
  "oauth.revoke": "POST /oauth/revoke: token revocation (RFC 7009)",
  "oauth.issuer": "All are derived from the public origin, which is the issuer",
  "oauth.discovery":
    "An unauthenticated request to /api/mcp is answered with 401, and the client discovers the flow through the protected-resource metadata",
  "oauth.consent": "The user logs in and approves read, or read plus write, access",
  "oauth.access-token": "The app receives a short-lived access token, refreshed automatically and scoped to the team",
  "oauth.apps":
    "Authorized apps are listed with their granted scope and last-used date; revoking one invalidates its tokens at once",
  "oauth.settings":
    "OAuth is on by default (MCP_OAUTH_ENABLED); APP_URL is the public https origin; the at-rest token secret is MCP_OAUTH_TOKEN_SECRET",
});

const stdio = section("Local stdio transport", {
  "stdio.environment":
    "A local stdio MCP server reads an API key from SVC_API_KEY and needs the database connection variable DATABASE_URL",
  "stdio.validation": "It validates the key against the database as the REST API does",
});

/** Requirements of the contract for MCP, OAuth and the stdio transport. */
export const assistantRequirements = { ...endpoint, ...tools, ...oauth, ...stdio };
