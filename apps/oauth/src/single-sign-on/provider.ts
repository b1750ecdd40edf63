import { ServiceError } from "@kb/core/errors";
import {
  allowInsecureRequests,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
} from "openid-client";
import { type Expected, type Identity, readIdentity } from "./read-identity.ts";
import { defaultScopes, type SingleSignOnSettings } from "./settings.ts";

const timeoutSeconds = 10;

/** The age of a log-in at the provider that still counts as one that it asked for. It may show pages of its own after it. */
const maxAgeSeconds = 5 * 60;

/**
 * Asks for a new log-in, and for its time (OpenID Connect Core §3.1.2.1, §5.5). `max_age` demands the time too; some providers send
 * it only for the explicit wish.
 */
const freshLogIn: Readonly<Record<string, string>> = {
  prompt: "login",
  max_age: String(maxAgeSeconds),
  claims: JSON.stringify({ id_token: { auth_time: { essential: true } } }),
};

/** The provider (OpenID Connect): the authorization code flow with PKCE, state and nonce. */
export type Provider = {
  /** Returns the address to redirect the browser to. @throws {ServiceError} `unavailable` */
  startUrl(expected: Expected, redirectUri: string): Promise<URL>;
  /** Returns the user that the answer names; `answer` is the callback address with its parameters. @throws {ServiceError} */
  identify(answer: URL, expected: Expected): Promise<Identity>;
};

/** Creates the provider. `passwords`: people have passwords, too. It is discovered on the first use, and after a failure again on the next. */
export function createProvider(settings: SingleSignOnSettings, passwords: boolean): Provider {
  let discovered: Promise<Configuration> | undefined;
  const configuration = async (): Promise<Configuration> => {
    discovered ??= discover(settings);
    try {
      return await discovered;
    } catch (error) {
      discovered = undefined;
      const way = passwords ? "Try again in a minute, or log in with your password." : "Try again in a minute.";
      const message = `${settings.name} cannot be reached. ${way}`;
      throw new ServiceError("unavailable", message, { cause: error, retryAfterSeconds: 60 });
    }
  };
  return {
    async startUrl({ state, nonce, verifier, isFresh }, redirectUri) {
      return buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: settings.scopes ?? defaultScopes,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        state,
        nonce,
        ...(isFresh ? freshLogIn : {}),
      });
    },
    async identify(answer, expected) {
      const config = await configuration();
      try {
        const identity = await readIdentity(config, settings, answer, expected);
        if (expected.isFresh) requireFreshLogIn(settings.name, identity);
        return identity;
      } catch (error) {
        if (error instanceof ServiceError) throw error;
        throw refusal(settings.name, error);
      }
    },
  };
}

/** Reads the metadata of the provider. @throws {Error} */
export function discover({ issuer, clientId, clientSecret }: SingleSignOnSettings): Promise<Configuration> {
  const server = new URL(issuer);
  // Plain http is only for this machine: `OIDC_ISSUER` accepts no other.
  const execute = server.protocol === "http:" ? [allowInsecureRequests] : [];
  return discovery(server, clientId, {}, clientAuth(clientSecret), { execute, timeout: timeoutSeconds });
}

/** OpenID Connect's default is Basic; some providers accept only the form. */
function clientAuth(secret: string): ClientAuth {
  const basic = ClientSecretBasic(secret);
  const post = ClientSecretPost(secret);
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const apply = methods.includes("client_secret_basic") ? basic : post;
    return apply(server, client, body, headers);
  };
}

/**
 * Requires that the provider says when the user logged in, and that it was just now. The address of the request passes through the
 * browser, which can leave out `prompt` and `max_age`: a missing time is no proof. Asked with `max_age`, a provider must state it
 * (OpenID Connect Core §2).
 * @throws {ServiceError} `forbidden`
 */
function requireFreshLogIn(name: string, { provenSecondsAgo }: Identity): void {
  if (provenSecondsAgo === null) {
    const message = `${name} did not say when you logged in, so it cannot confirm that it is you. Try again; if it repeats, ask your administrator to have ${name} send \`auth_time\`.`;
    throw new ServiceError("forbidden", message);
  }
  if (provenSecondsAgo <= maxAgeSeconds) return;
  throw new ServiceError("forbidden", `${name} did not ask you to log in again. Log out there, then try again.`);
}

/** Tells a user who was declined by the provider so; other causes are only for the log. */
function refusal(name: string, error: unknown): ServiceError {
  const code = error instanceof ClientError ? undefined : Reflect.get(Object(error), "error");
  const declined = code === "access_denied" || code === "login_required" || code === "consent_required";
  const message = declined ? `${name} did not let you in.` : `${name} sent an invalid answer. Try again.`;
  return new ServiceError("forbidden", message, { cause: error });
}
