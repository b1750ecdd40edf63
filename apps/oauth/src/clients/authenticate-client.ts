import { createHash, timingSafeEqual } from "node:crypto";
import type { EdgeContext } from "@kb/http";
import { OauthError } from "../oauth-error.ts";
import type { Parameters } from "../parameters/read-parameters.ts";
import type { Client } from "./client.ts";
import type { Clients } from "./find-client.ts";

/** Who a client says it is. `basic`: it said so in the header. */
type Shown = { readonly id: string; readonly secret: string | undefined; readonly basic: boolean };

/**
 * Which client makes a request (OAuth 2.1 §2.4): by its secret where it has one, in the header or in the form, and by its
 * id alone where it has none. One that has a secret may show it either way: what proves it is the secret.
 * @throws {OauthError} `invalid_client` (401), so that a client which was deleted registers again; `invalid_request` for
 * two ways at once (RFC 6749 §2.3).
 */
export async function authenticateClient(
  context: EdgeContext,
  parameters: Parameters,
  clients: Clients,
): Promise<Client> {
  const shown = shownClient(context.req.header("Authorization"), parameters);
  const client = await clients.known(shown.id);
  if (client === null) throw refused(shown, "This client is not registered here, or no longer. Register it again.");
  if (!provesItself(client, shown.secret)) throw refused(shown, "The client's secret is missing or wrong.");
  return client;
}

function shownClient(header: string | undefined, parameters: Parameters): Shown {
  const [id, secret] = [parameters.get("client_id"), parameters.get("client_secret")];
  if (header === undefined) {
    if (id === undefined) throw new OauthError("invalid_client", "The parameter client_id is missing.");
    return { id, secret, basic: false };
  }
  const basic = basicCredentials(header);
  if (secret !== undefined) {
    throw new OauthError("invalid_request", "Show the client's secret in the header or in the form, not in both.");
  }
  if (id !== undefined && id !== basic.id) {
    throw new OauthError("invalid_request", "The header Authorization and the parameter client_id name two clients.");
  }
  return basic;
}

/** RFC 6749 §2.3.1: id and secret are form-encoded before they are joined. */
function basicCredentials(header: string): Shown {
  const [, encoded] = /^Basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(header) ?? [];
  const text = Buffer.from(encoded ?? "", "base64").toString("utf8");
  const colon = text.indexOf(":");
  const [id, secret] = [formDecoded(text.slice(0, colon)), formDecoded(text.slice(colon + 1))];
  // PostgreSQL takes no NUL, and no id or secret of ours has control characters.
  if (encoded === undefined || colon < 1 || id === undefined || secret === undefined || /\p{Cc}/u.test(id + secret)) {
    throw refused({ id: "", secret: undefined, basic: true }, "The header Authorization is not Basic authentication.");
  }
  return { id, secret: secret === "" ? undefined : secret, basic: true };
}

function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

function provesItself({ secretHash }: Client, secret: string | undefined): boolean {
  if (secretHash === null) return secret === undefined;
  return secret !== undefined && timingSafeEqual(hashSecret(secret), secretHash);
}

/** What is stored of a secret: it has 256 random bits, so a plain hash is enough. */
export function hashSecret(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(secret).digest());
}

/** RFC 6749 §5.2: 401, and the header's scheme where the header was tried. */
function refused({ basic }: Shown, description: string): OauthError {
  return new OauthError("invalid_client", description, {
    headers: basic ? { "WWW-Authenticate": 'Basic realm="oauth", charset="UTF-8"' } : {},
  });
}
