import { section } from "./section.ts";

/** Decisions on connected apps: discovery of the server, registration and client authentication. */
export const clientDecisions = section("Decisions: clients of the authorization server", {
  "decision.oauth.issuer": "Issuer: APP_URL without a trailing slash, never taken from Host",
  "decision.oauth.off": "MCP_OAUTH_ENABLED=false removes all of it: 404, and no resource_metadata in the 401",
  "decision.oauth.metadata":
    "Both documents are public, for pages of any origin, before any authentication; the resource's at the root and at its path",
  "decision.oauth.scopes": "Unknown scopes are dropped; write implies read; never admin",
  "decision.oauth.resource": "RFC 8707 resource: missing = the MCP endpoint, another = invalid_target",
  "decision.oauth.parameters": "Duplicate parameters and JSON bodies are invalid_request",
  "decision.oauth.registration":
    "Dynamic registration (RFC 7591) as specified: none, client_secret_basic, client_secret_post; client_name optional; a secret is stored only as a hash",
  "decision.oauth.registration-limits":
    "20 registrations an hour per IP (OAUTH_REGISTER_PER_HOUR); body at most 16 KB; equal ones do not pile up; 1,000 leave the table bounded",
  "decision.oauth.clients-swept":
    "A client that was never used is gone after 48 h, an idle one after 30 d; a deleted client gets 401 invalid_client",
  "decision.oauth.client-authentication": "Basic, post and none at the token endpoint",
  "decision.oauth.redirect-uris":
    "Redirect URIs: exact match; https, http on localhost, 127.0.0.1, [::1] with any port, or a private-use scheme; no fragment, user info, wildcard, javascript:, data:",
  "decision.oauth.documents":
    "Client ID Metadata Documents: an https URL as client_id, whose document names itself and keeps no secret",
  "decision.oauth.document-fetch":
    "The address connected to must be public, no redirects, 5 s, at most 5 KB, limited per origin",
  "decision.oauth.document-cache": "A metadata document is kept from 60 s to 24 h",
  "decision.oauth.foreign-clients":
    "oauth4webapi, @modelcontextprotocol/sdk 1.x and @modelcontextprotocol/client 2.x do the whole dance, with and without a metadata document, and call a tool",
  "decision.oauth.conformance": "The authorization mode of the official conformance suite passes",
});
