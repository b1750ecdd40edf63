import { resourceOf } from "../resource.ts";
import { oauthScopes } from "../scopes.ts";

/** The methods by which clients authenticate; `none` is for clients that cannot keep a secret. */
const clientAuthentication = ["none", "client_secret_basic", "client_secret_post"];

/** Returns the metadata of the authorization server (RFC 8414 §2). `appUrl` is the issuer, without a trailing slash. */
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

/** Returns the metadata of the MCP endpoint (RFC 9728 §2). It does not list `offline_access`: refresh tokens never reach it. */
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
