import { challengeLifetimeMs } from "./challenges.ts";
import { loadWebAuthn } from "./load-web-authn.ts";
import { describePasskey, type NamedPasskey } from "./registration.ts";
import type { RelyingParty } from "./relying-party.ts";

type Question = {
  readonly challenge: string;
  /** The passkeys of the user; none where the passkey says who the user is. */
  readonly passkeys: readonly NamedPasskey[];
  /**
   * Whether the passkey checks the finger, the face or the PIN of its user: it must where it is the only proof, and need not where a
   * password came before.
   */
  readonly userVerification: "required" | "preferred" | "discouraged";
};

/** Returns the options with which a browser asks for a passkey, as JSON (WebAuthn §5.1.10). */
export async function assertionOptions({ rpId }: RelyingParty, { challenge, passkeys, userVerification }: Question) {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  return await generateAuthenticationOptions({
    rpID: rpId,
    challenge: new Uint8Array(Buffer.from(challenge, "base64url")),
    timeout: challengeLifetimeMs,
    allowCredentials: passkeys.map(describePasskey),
    userVerification,
  });
}

/** The answer of a browser that used a passkey. All texts are base64url. */
export type Assertion = {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
  /** The id of the user that the authenticator keeps; absent where it keeps none. */
  readonly userHandle?: string | undefined;
};

/** An answer with a right signature. The number of signatures was not compared yet. */
export type CheckedAssertion = { readonly counter: number; readonly isUserVerified: boolean };

/**
 * Checks the signature of a passkey. `useChallenge` says whether its challenge is valid. Null for an answer of another site,
 * with another challenge, with a wrong signature, or that is malformed.
 */
export async function checkAssertion(
  { origin, rpId }: RelyingParty,
  { id, clientDataJSON, authenticatorData, signature }: Assertion,
  publicKey: Uint8Array,
  useChallenge: (challenge: string) => Promise<boolean>,
): Promise<CheckedAssertion | null> {
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: useChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      // The number of signatures is compared under the lock of the row, where uses at once see each other.
      credential: { id, publicKey: new Uint8Array(publicKey), counter: 0 },
      requireUserVerification: false,
    });
    if (!verified) return null;
    return { counter: authenticationInfo.newCounter, isUserVerified: authenticationInfo.userVerified };
  } catch {
    return null;
  }
}
