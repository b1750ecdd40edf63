import { challengeLifetimeMs } from "./challenges.ts";
import { loadWebAuthn } from "./load-web-authn.ts";
import type { RelyingParty } from "./relying-party.ts";

/**
 * The signatures that authenticators make, by their numbers in COSE: EdDSA, ES256 and RS256. The library would add one that Node 24
 * still calls experimental.
 */
const algorithms = [-8, -7, -257];

/** A passkey as browsers name it. */
export type NamedPasskey = { readonly credentialId: Uint8Array; readonly transports: readonly string[] };

type NewPasskeyOwner = {
  readonly challenge: string;
  readonly team: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  /** The passkeys that the user has: an authenticator makes no second one. */
  readonly present: readonly NamedPasskey[];
};

/** Returns the options with which a browser makes a passkey, as JSON (WebAuthn §5.1.8). */
export async function registrationOptions(
  { rpId }: RelyingParty,
  { challenge, team, userId, email, name, present }: NewPasskeyOwner,
) {
  const { generateRegistrationOptions } = await loadWebAuthn();
  return await generateRegistrationOptions({
    rpID: rpId,
    rpName: team,
    challenge: new Uint8Array(Buffer.from(challenge, "base64url")),
    userID: userHandleOf(userId),
    userName: email,
    userDisplayName: name,
    timeout: challengeLifetimeMs,
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: present.map(describePasskey),
    // Kept by the authenticator where it can, so that it works without the e-mail address and the password.
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  });
}

/** Returns the id of a user as an authenticator keeps it: 16 bytes that name nobody outside. */
export const userHandleOf = (userId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(userId.replaceAll("-", ""), "hex"));

/** Returns a passkey as the options of a browser contain it. */
export function describePasskey({ credentialId, transports }: NamedPasskey): { id: string; transports: string[] } {
  return { id: Buffer.from(credentialId).toString("base64url"), transports: [...transports] };
}

/** The answer of a browser that made a passkey. All texts but `transports` are base64url. */
export type Registration = {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly attestationObject: string;
  readonly transports: readonly string[];
};

/** A passkey that was checked. */
export type CheckedPasskey = NamedPasskey & {
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly synced: boolean;
};

/**
 * Checks the answer of a browser. `useChallenge` says whether its challenge is valid. Null for an answer of another site, with
 * another challenge or that is malformed.
 */
export async function checkRegistration(
  { origin, rpId }: RelyingParty,
  { id, clientDataJSON, attestationObject, transports }: Registration,
  useChallenge: (challenge: string) => Promise<boolean>,
): Promise<CheckedPasskey | null> {
  const { verifyRegistrationResponse } = await loadWebAuthn();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge: useChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified) return null;
    const { credential, credentialBackedUp: synced } = registrationInfo;
    if (credential.id !== id) return null;
    const credentialId = Buffer.from(credential.id, "base64url");
    return { credentialId, publicKey: credential.publicKey, counter: credential.counter, transports, synced };
  } catch {
    return null;
  }
}
