import {
  checkRegistration,
  lockFactorOfPasskeys,
  maxPasskeys,
  recoveryCodeCount,
  relyingPartyOf,
  replaceRecoveryCodes,
  storePasskey,
  useChallenge,
} from "@kb/auth";
import { stampMoment } from "@kb/db";
import { z } from "zod";
import { recordRefusedProof } from "../audit/record-refused-proof.ts";
import { invalid, notFound, ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { warnOfPasskey } from "../second-factor/warn-owner.ts";
import { endAccess } from "../sessions/end-access.ts";
import { requireSession } from "../sessions/require-session.ts";
import { NewCredential, Passkey, PasskeyName, passkeyColumns, presentPasskey } from "./passkey.ts";

/** Adds a passkey to the caller's account. */
export const addPasskey = operation({
  name: "auth.passkeys.add",
  summary: "Add a passkey",
  description:
    "`credential` is the answer of the browser to auth.passkeys.start. A passkey is the second step of your log-in, and the only one where it checks your finger, face or PIN. Your first one, without an authenticator app, comes with recovery codes, which only this response contains, and ends your other sessions and disconnects your apps. A mail tells you.",
  scope: "write",
  capability: null,
  sessionOnly: true,
  freshProof: true,
  input: z.strictObject({ name: PasskeyName, credential: NewCredential }),
  output: z.object({
    passkey: Passkey,
    recoveryCodes: z.array(z.string()).length(recoveryCodeCount).nullable(),
  }),
  async prepare({ credential }, preparation) {
    const { service, actor } = preparation;
    const { database, appUrl, clock } = service;
    requireSession(actor);
    const use = { purpose: "register", binding: actor.credential.id } as const;
    let isKnown = false;
    const checked = await checkRegistration(relyingPartyOf(appUrl), credential, async (challenge) => {
      isKnown = await useChallenge(database, use, challenge, clock.now());
      return isKnown;
    });
    if (checked !== null) return checked;
    recordRefusedProof(preparation, "auth.passkeys.add", { passkey: "invalid" });
    // Of another session, used, or too old.
    if (!isKnown) throw notFound("Challenge");
    throw invalid("credential", "Is not a new passkey for this site");
  },
  async run(context, { name }, checked) {
    const { tx, actor, now, audit } = context;
    const { teamId, userId, credential } = actor;
    const account = { teamId, userId };
    // Locks the clock first, like everything that ends access.
    await stampMoment(tx, teamId, now);
    const isFirstFactor = await lockFactorOfPasskeys(tx, account, now);
    if ((await tx.passkey.count({ where: account })) >= maxPasskeys) {
      throw new ServiceError("conflict", `You have ${maxPasskeys} passkeys: remove one first.`);
    }
    const id = await storePasskey(tx, account, { ...checked, name }, now);
    if (id === null) throw new ServiceError("conflict", "This passkey is in use already. Use another device.");
    const recoveryCodes = isFirstFactor ? await replaceRecoveryCodes(tx, account) : null;
    // Somebody who took the password before may be logged in.
    if (isFirstFactor) await endAccess(context, userId, "second_factor_set_up", credential.id);
    await warnOfPasskey(context, "passkey_added", name);
    audit.setTarget("user", userId);
    audit.addDetails({ passkey: id });
    const where = { teamId_id: { teamId, id } };
    const row = await tx.passkey.findUniqueOrThrow({ where, select: passkeyColumns });
    return { passkey: presentPasskey(row), recoveryCodes };
  },
});
