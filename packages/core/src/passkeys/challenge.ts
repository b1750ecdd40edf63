import { assertionOptions, challengeLifetimeMs, issueChallenge, readPasskeys, relyingPartyOf } from "@kb/auth";
import { z } from "zod";
import { notFound } from "../errors.ts";
import { operation } from "../operation.ts";
import { requireSession } from "../sessions/require-session.ts";
import { CredentialDescriptor } from "./passkey.ts";

/** What a browser needs to ask for a passkey (WebAuthn §5.5, as JSON). */
const RequestOptions = z
  .object({
    challenge: z.string(),
    timeout: z.int().optional(),
    rpId: z.string().optional(),
    allowCredentials: z.array(CredentialDescriptor).optional(),
    userVerification: z.enum(["discouraged", "preferred", "required"]).optional(),
  })
  .meta({ id: "PasskeyRequestOptions" });

/** Begins a confirmation by passkey. */
export const challengePasskey = operation({
  name: "auth.passkeys.challenge",
  summary: "Begin to confirm with a passkey that it is you",
  description: `Give \`options\` to the browser's \`navigator.credentials.get\`, and send its answer to auth.prove in the same session within ${challengeLifetimeMs / 60_000} minutes.`,
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({}),
  output: z.object({ options: RequestOptions }),
  async run({ tx, actor, now, appUrl, audit }) {
    const { teamId, userId, credential } = actor;
    requireSession(actor);
    audit.unchanged();
    const passkeys = await readPasskeys(tx, { teamId, userId });
    if (passkeys.length === 0) throw notFound("Passkey");
    const challenge = await issueChallenge(tx, { purpose: "prove", binding: credential.id }, now);
    const question = { challenge, passkeys, userVerification: "preferred" } as const;
    return { options: await assertionOptions(relyingPartyOf(appUrl), question) };
  },
});
