import { timingSafeEqual } from "node:crypto";
import { hashToken, type OauthClient } from "@kb/auth";
import type { EdgeContext } from "@kb/http";
import { OauthError } from "../oauth-error.ts";
import type { Parameters } from "../parameters.ts";
import type { Clients } from "./clients.ts";

/** The credentials in a request; `basic` if they are in the header. */
type Presented = { readonly id: string; readonly secret: string | undefined; readonly basic: boolean };

/**
 * Authenticates the client of a request (OAuth 2.1 §2.4): by its secret, in the header or in the form, or by its id if it has
 * no secret. A client with a secret may use either place, whatever it registered: the secret is the proof.
 * @throws {OauthError} `invalid_client` (401), after which a deleted client registers again; `invalid_request` for
 * credentials in both places (RFC 6749 §2.3).
 */
export async function authenticateClient(
  context: EdgeContext,
  parameters: Parameters,
  clients: Clients,
): Promise<OauthClient> {
  const presented = readCredentials(context.req.header("Authorization"), parameters);
  const client = await clients.findStored(presented.id);
  if (client === null) throw refusal(presented, "This client is not registered. Register it again.");
  if (!isAuthentic(client, presented.secret)) throw refusal(presented, "The client's secret is missing or wrong.");
  return client;
}

function readCredentials(header: string | undefined, parameters: Parameters): Presented {
  const id = parameters.get("client_id");
  const secret = parameters.get("client_secret");
  if (header === undefined) {
    if (id === undefined) throw new OauthError("invalid_client", "The parameter client_id is missing.");
    return { id, secret, basic: false };
  }
  const basic = parseBasic(header);
  if (secret !== undefined) {
    throw new OauthError("invalid_request", "Send the client's secret in the header or in the form, not in both.");
  }
  if (id !== undefined && id !== basic.id) {
    throw new OauthError("invalid_request", "The header Authorization and the parameter client_id name two clients.");
  }
  return basic;
}

/** RFC 6749 §2.3.1: id and secret are form-encoded before they are joined. */
function parseBasic(header: string): Presented {
  const [, encoded] = /^Basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(header) ?? [];
  const text = Buffer.from(encoded ?? "", "base64").toString("utf8");
  const colon = text.indexOf(":");
  const id = decodeFormValue(text.slice(0, colon));
  const secret = decodeFormValue(text.slice(colon + 1));
  // PostgreSQL does not accept NUL, and no id or secret of ours contains control characters.
  if (encoded === undefined || colon < 1 || id === undefined || secret === undefined || /\p{Cc}/u.test(id + secret)) {
    throw refusal({ basic: true }, "The header Authorization is not valid Basic authentication.");
  }
  return { id, secret: secret === "" ? undefined : secret, basic: true };
}

function decodeFormValue(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

function isAuthentic({ secretHash }: OauthClient, secret: string | undefined): boolean {
  if (secretHash === null) return secret === undefined;
  return secret !== undefined && timingSafeEqual(hashToken(secret), secretHash);
}

/** RFC 6749 §5.2: 401, with the scheme of the header if the client used it. */
function refusal({ basic }: Pick<Presented, "basic">, description: string): OauthError {
  return new OauthError("invalid_client", description, {
    headers: basic ? { "WWW-Authenticate": 'Basic realm="oauth", charset="UTF-8"' } : {},
  });
}
