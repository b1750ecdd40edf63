import { section } from "./section.ts";

/** Decisions on the tokens of apps and their lifetime (decisions.md §7 and §8). */
export const tokenDecisions = section("decisions.md §8 OAuth 2.1 authorization server: tokens", {
  "decision.oauth.tokens":
    "Tokens are opaque: kbat_, kbrt_, codes kbac_ + 32 random bytes; at rest HMAC-SHA256 under MCP_OAUTH_TOKEN_SECRET; a previous secret may be named for rotation",
  "decision.oauth.lifetimes":
    "Code 60 s, single use; access 1 h; refresh 30 d sliding, 180 d at most; each by environment",
  "decision.oauth.code":
    "Code: bound to client, redirect URI, PKCE S256, resource; redeemed twice the grant dies; a wrong client, redirect or verifier does not consume it; of 50 parallel redemptions exactly one succeeds",
  "decision.oauth.refresh":
    "Refresh rotates always; a used token presented again within 60 s, or before its successor was used, gets the same successor and a new access token; later it kills the grant and is audited; scope may narrow, never widen",
  "decision.oauth.no-store": "Cache-Control: no-store on token answers",
  "decision.oauth.token-limits": "60 token requests a minute per client and IP, body at most 16 KB",
  "decision.oauth.deleted-client": "A deleted client gets 401 invalid_client",
  "decision.oauth.revocation": "RFC 7009: always 200, own tokens only",
  "decision.oauth.ends":
    "At once: the next request is 401 and open streams close within a second; also when the user is suspended, the password changed, MCP switched off",
  "decision.oauth.audience":
    "resource of an OAuth token is exactly APP_URL/api/mcp; such a token on /api/v1 is 401, on a session-only route 403",
  "decision.oauth.step-up": 'Missing write scope: HTTP 403 with error="insufficient_scope", scope="read write"',
});
