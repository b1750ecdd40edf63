import { challengeLifetimeMs, issueChallenge, readPasskeys, registrationOptions, relyingPartyOf } from "@kb/auth";
import { z } from "zod";
import { operation } from "../operation.ts";
import { requireSession } from "../sessions/require-session.ts";
import { CredentialDescriptor } from "./passkey.ts";
import { requirePasskeysSupported } from "./require-supported.ts";

/** What a browser needs to make a passkey (WebAuthn §5.4, as JSON). */
const CreationOptions = z
  .object({
    rp: z.object({ id: z.string().optional(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ type: z.literal("public-key"), alg: z.int() })),
    timeout: z.int().optional(),
    excludeCredentials: z.array(CredentialDescriptor).optional(),
    authenticatorSelection: z
      .object({
        residentKey: z.enum(["discouraged", "preferred", "required"]).optional(),
        requireResidentKey: z.boolean().optional(),
        userVerification: z.enum(["discouraged", "preferred", "required"]).optional(),
      })
      .optional(),
    attestation: z.enum(["direct", "enterprise", "indirect", "none"]).optional(),
  })
  .meta({ id: "PasskeyCreationOptions" });

/** Begins to add a passkey to the caller's account. */
export const startPasskey = operation({
  name: "auth.passkeys.start",
  summary: "Begin to add a passkey",
  description: `Give \`options\` to the browser's \`navigator.credentials.create\`, and send its answer to auth.passkeys.add in the same session within ${challengeLifetimeMs / 60_000} minutes.`,
  scope: "write",
  capability: null,
  sessionOnly: true,
  freshProof: true,
  input: z.strictObject({}),
  output: z.object({ options: CreationOptions }),
  async run({ tx, actor, now, appUrl, audit }) {
    const { teamId, userId, email, userName: name, credential } = actor;
    requireSession(actor);
    requirePasskeysSupported(appUrl);
    // It changes nothing of the account.
    audit.unchanged();
    const { name: team } = await tx.team.findUniqueOrThrow({ where: { id: teamId }, select: { name: true } });
    const present = await readPasskeys(tx, { teamId, userId });
    const challenge = await issueChallenge(tx, { purpose: "register", binding: credential.id }, now);
    const owner = { challenge, team, userId, email, name, present };
    return { options: await registrationOptions(relyingPartyOf(appUrl), owner) };
  },
});
