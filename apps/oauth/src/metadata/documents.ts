import { resourceOf } from "../resource.ts";
import { oauthScopes } from "../scopes.ts";

/** The ways in which clients show who they are; `none` is for those that keep no secret. */
const clientAuthentication = ["none", "client_secret_basic", "client_secret_post"];

/** RFC 8414 §2: what the authorization server is. `appUrl` is the issuer: it has no slash at its end. */
export function authorizationServerMetadata(appUrl: string): Readonly<Record<string, unknown>> {
  return {
    issuer: appUrl,
    authorization_endpoint: `${appUrl}/oauth/authorize`,
    token_endpoint: `${appUrl}/oauth/token`,
    registration_endpoint: `${appUrl}/oauth/register`,
    revocation_endpoint: `${appUrl}/oauth/revoke`,
    scopes_supported: [...oauthScopes, "offline_access"],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: clientAuthentication,
    revocation_endpoint_auth_methods_supported: clientAuthentication,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    protected_resources: [resourceOf(appUrl)],
    service_documentation: `${appUrl}/docs`,
  };
}

/** RFC 9728 §2: what the MCP endpoint is, and where tokens for it are had. Refresh tokens are not its business. */
export function protectedResourceMetadata(appUrl: string): Readonly<Record<string, unknown>> {
  return {
    resource: resourceOf(appUrl),
    authorization_servers: [appUrl],
    scopes_supported: oauthScopes,
    bearer_methods_supported: ["header"],
    resource_name: "Knowledge base",
    resource_documentation: `${appUrl}/docs`,
  };
}
