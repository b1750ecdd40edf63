import { recordProof } from "@kb/auth";
import { z } from "zod";
import { notFound, ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { UsedCredential } from "../passkeys/passkey.ts";
import { requirePasskey } from "../passkeys/require-passkey.ts";
import { Timestamp, timestamp } from "../schema/text.ts";
import { requireOwner } from "../second-factor/require-owner.ts";
import { proofLifetimeMs } from "./require-fresh-proof.ts";
import { requireSession } from "./require-session.ts";

/** Confirms that the caller is the owner of their account, for operations that a stolen session must not reach. */
export const proveOwner = operation({
  name: "auth.prove",
  summary: "Confirm that it is you",
  description:
    "`proof` is a code of your app or a recovery code if you have a second factor, else your password; or `passkey` is the answer of the browser to auth.passkeys.challenge. For 15 minutes, this session may then do what needs a proof, such as changing keys, people, access, webhooks and channels, as after a log-in. A user with neither logs in again, as everybody without a second factor does where passwords are switched off.",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ proof: z.string().max(1024).default(""), passkey: UsedCredential.optional() }),
  output: z.object({ until: Timestamp }),
  async prepare({ proof, passkey }, preparation): Promise<string> {
    requireSession(preparation.actor);
    if (passkey !== undefined) {
      await requirePasskey(preparation, "auth.prove", passkey);
      return "passkey";
    }
    const { method } = await requireOwner(preparation, { action: "auth.prove", typed: proof });
    // A log-in counts for 15 minutes and does not renew itself.
    if (method === "log_in") throw noProof();
    return method;
  },
  async run({ tx, actor, now, audit }, _input, method) {
    const { teamId, userId, credential } = actor;
    if (!(await recordProof(tx, { teamId, id: credential.id }, now))) throw notFound("Session");
    audit.setTarget("user", userId);
    audit.addDetails({ method });
    return { until: timestamp(new Date(now.getTime() + proofLifetimeMs)) };
  },
});

const noProof = (): ServiceError =>
  new ServiceError("conflict", "You have no second factor, and no password to confirm with. Log in again instead.");
