import { section } from "./section.ts";

/** Decisions on consent to apps and on connected apps. */
export const consentDecisions = section("Decisions: consent to apps, connected apps", {
  "decision.consent.never-redirected":
    "An unknown client or redirect shows an error page that explains the problem, never a redirect",
  "decision.consent.errors":
    "Every other error goes to the app by redirect with error, error_description, state and iss if the client is a metadata document or this user has a grant for it; otherwise a page shows it with a link",
  "decision.consent.parameters": "Duplicate parameters are invalid_request; PKCE S256 for every client, plain refused",
  "decision.consent.scopes":
    "Scopes read and write, which implies read; unknown dropped; none requested: read preselected; the user may grant less than was requested, never admin",
  "decision.consent.responses": "iss (RFC 9207) in success and error; 303 after POST; state as it came",
  "decision.consent.resource": "RFC 8707 resource: missing is the MCP endpoint, another is invalid_target",
  "decision.consent.page":
    "Consent every time, from a browser session only: the app's name, the host it goes back to (a warning for localhost), the team, the user, read or read and write",
  "decision.consent.guarded": "CSRF token and Origin, frame-ancestors 'none', no script needed, no form-action",
  "decision.consent.accessible": "The page works with a keyboard and a screen reader, in the dark, at 320 px",
  "decision.consent.forms": "radio scope (read, read write), buttons named decision (allow, deny), csrf",
  "decision.consent.who": "Every member for themselves where MCP is on",
  "decision.apps.list": "/api/oauth.apps.list: one's own, the team's with developer.mcp, with scope and last-used date",
  "decision.apps.revoke": "/api/oauth.apps.revoke: one's own, others' with developer.mcp; it stops at once",
  "decision.apps.also-ends": "User suspended, password changed, MCP switched off: the grants end",
  "decision.apps.told":
    "app.authorized and app.revoked are sent to the user and to users with developer.mcp, and are audited",
});
