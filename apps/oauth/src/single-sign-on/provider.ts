import { ServiceError } from "@kb/core";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
} from "openid-client";
import type { SingleSignOnSettings } from "./settings.ts";

const timeoutSeconds = 10;

/** What one log-in must bring back from the provider. */
export type Pending = { readonly state: string; readonly nonce: string; readonly verifier: string };

/** Whom the provider says that somebody is. */
export type Identity = { readonly email: string; readonly name: string | undefined };

/** The provider, by OpenID Connect: the authorization code flow with PKCE, state and nonce. */
export type Provider = {
  /** Where to send the browser. @throws {ServiceError} `unavailable` */
  startUrl(pending: Pending, redirectUri: string): Promise<URL>;
  /** Whom the provider named in its answer, an address with its parameters. @throws {ServiceError} with what to do. */
  identify(answer: URL, pending: Pending): Promise<Identity>;
};

/** Knows the provider from its first use on; where it was not to be reached it is asked again the next time. */
export function providerOf(settings: SingleSignOnSettings): Provider {
  let known: Promise<Configuration> | undefined;
  const configuration = async (): Promise<Configuration> => {
    known ??= discover(settings);
    try {
      return await known;
    } catch (error) {
      known = undefined;
      const message = `${settings.name} cannot be reached just now. Try again in a minute, or log in with your password.`;
      throw new ServiceError("unavailable", message, { cause: error, retryAfterSeconds: 60 });
    }
  };
  return {
    async startUrl({ state, nonce, verifier }, redirectUri) {
      return buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: "openid email profile",
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        ...{ state, nonce },
      });
    },
    async identify(answer, pending) {
      const config = await configuration();
      try {
        return await identityFrom(config, answer, pending);
      } catch (error) {
        if (error instanceof ServiceError) throw error;
        throw refused(settings.name, error);
      }
    },
  };
}

function discover({ issuer, clientId, clientSecret }: SingleSignOnSettings): Promise<Configuration> {
  const server = new URL(issuer);
  // Plain http is this very machine alone: `OIDC_ISSUER` takes no other.
  const execute = server.protocol === "http:" ? [allowInsecureRequests] : [];
  return discovery(server, clientId, {}, clientAuth(clientSecret), { execute, timeout: timeoutSeconds });
}

/** OpenID Connect's default is Basic; some providers take the form alone. */
function clientAuth(secret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const apply = methods.includes("client_secret_basic") ? basic : post;
    return apply(server, client, body, headers);
  };
}

async function identityFrom(config: Configuration, answer: URL, pending: Pending): Promise<Identity> {
  const tokens = await authorizationCodeGrant(config, answer, {
    pkceCodeVerifier: pending.verifier,
    expectedState: pending.state,
    expectedNonce: pending.nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new Error("the provider sent no ID token");
  // Small ID tokens leave the address to the user info endpoint.
  const facts = claims.email === undefined ? await fetchUserInfo(config, tokens.access_token, claims.sub) : claims;
  const { email, name } = facts;
  if (typeof email !== "string" || email === "" || facts.email_verified !== true) {
    const message = "The single sign-on has not verified your e-mail address, by which you are known here.";
    throw new ServiceError("forbidden", message);
  }
  return { email, name: typeof name === "string" && name.trim() !== "" ? name : undefined };
}

/** A person who said no is told so; the rest is for whoever runs the service. */
function refused(name: string, error: unknown): ServiceError {
  const code = error instanceof ClientError ? undefined : Reflect.get(Object(error), "error");
  const declined = code === "access_denied" || code === "login_required" || code === "consent_required";
  const message = declined
    ? `${name} did not let you in.`
    : `The answer of ${name} was not as it should be. Try again.`;
  return new ServiceError("forbidden", message, { cause: error });
}
