import { ServiceError } from "@kb/core/errors";
import { authorizationCodeGrant, type Configuration, fetchUserInfo } from "openid-client";
import type { PendingLogIn } from "./pending-log-ins.ts";
import type { SingleSignOnSettings } from "./settings.ts";

/** The values that one log-in must bring back from the provider. */
export type Expected = Pick<PendingLogIn, "state" | "nonce" | "verifier" | "isFresh">;

/** The user as the provider identifies them. */
export type Identity = {
  readonly email: string;
  readonly name: string | undefined;
  /** The values of the claim with their groups; undefined where no claim decides about groups. */
  readonly groups: readonly string[] | undefined;
  /** The time since they proved to the provider who they are, by its own clock; null if it does not say. */
  readonly provenSecondsAgo: number | null;
};

/** The facts that the provider states about a user, by name. */
type Claims = Readonly<Record<string, unknown>>;

/**
 * Redeems the code of an answer, and returns the user that the ID token names.
 * @throws {ServiceError} `forbidden` for a user who must not be let in
 * @throws {Error} for an invalid answer
 */
export async function readIdentity(
  config: Configuration,
  settings: SingleSignOnSettings,
  answer: URL,
  expected: Expected,
): Promise<Identity> {
  const tokens = await authorizationCodeGrant(config, answer, {
    pkceCodeVerifier: expected.verifier,
    expectedState: expected.state,
    expectedNonce: expected.nonce,
    idTokenExpected: true,
  });
  const ofToken = tokens.claims();
  if (ofToken === undefined) throw new Error("the provider sent no ID token");
  // Some providers leave claims out of the ID token, to keep it small.
  const needed = ["email", settings.requiredClaim?.name, settings.groups?.claim];
  const isComplete = needed.every((name) => name === undefined || Object.hasOwn(ofToken, name));
  const hasMore = config.serverMetadata().userinfo_endpoint !== undefined;
  const ofUser: Claims = isComplete || !hasMore ? {} : await fetchUserInfo(config, tokens.access_token, ofToken.sub);
  // The address and whether it is verified are the word of the same answer.
  const { email, name } = identified(Object.hasOwn(ofToken, "email") ? ofToken : ofUser, settings.trustEmail === true);
  const facts: Claims = { ...ofUser, ...ofToken };
  requireClaim(settings, facts);
  const { iat, auth_time: provenAt } = ofToken;
  return {
    email,
    name,
    groups: settings.groups && groupsIn(facts, settings.groups.claim, settings.name),
    provenSecondsAgo: provenAt === undefined ? null : Math.max(0, iat - provenAt),
  };
}

/** @throws {ServiceError} `forbidden` without an address that the provider has verified, or must have if the operator trusts it. */
function identified(claims: Claims, trustEmail: boolean): { email: string; name: string | undefined } {
  const { email, name, email_verified: verified } = claims;
  const isVerified = verified === true || (trustEmail && verified === undefined);
  if (typeof email !== "string" || email === "" || !isVerified) {
    const message = "The single sign-on has not verified your e-mail address. Your account here is identified by it.";
    throw new ServiceError("forbidden", message);
  }
  return { email, name: typeof name === "string" && name.trim() !== "" ? name : undefined };
}

/** Requires the claim that the operator demands: a text, or a list that contains it. @throws {ServiceError} `forbidden` */
function requireClaim({ name, requiredClaim }: SingleSignOnSettings, claims: Claims): void {
  if (requiredClaim === undefined) return;
  const value = ownClaim(claims, requiredClaim.name);
  if ((Array.isArray(value) ? value : [value]).some((each) => String(each) === requiredClaim.value)) return;
  const message = `Your account at ${name} may not log in here. Use another account, or ask your administrator.`;
  throw new ServiceError("forbidden", message);
}

const ownClaim = (claims: Claims, name: string): unknown => (Object.hasOwn(claims, name) ? claims[name] : undefined);

/**
 * Returns the groups of a user by the claim; none without it, as providers leave it out for a user without groups. Reading anything
 * into another form could leave somebody in a group that they have lost, so it lets nobody in.
 * @throws {ServiceError} `forbidden`
 */
function groupsIn(claims: Claims, claim: string, provider: string): readonly string[] {
  // Microsoft Entra ID names the claim here in place of more than 200 groups.
  if (Object.hasOwn(Object(claims._claim_names), claim) || claims.hasgroups === true) {
    const message = `You are in more groups than ${provider} sends. Ask your administrator to have it send only the groups of this app.`;
    throw new ServiceError("forbidden", message);
  }
  const value = ownClaim(claims, claim);
  if (value === undefined || value === null) return [];
  if (typeof value === "string") return [value];
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
  const message = `${provider} sent your groups in a form that cannot be read. Ask your administrator to check the claim.`;
  throw new ServiceError("forbidden", message);
}
