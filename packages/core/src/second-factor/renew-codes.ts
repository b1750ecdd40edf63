import { replaceRecoveryCodes } from "@kb/auth";
import { z } from "zod";
import { operation } from "../operation.ts";
import { isProvenByPasskey } from "./is-proven-by-passkey.ts";
import { lockSecondFactor } from "./lock-second-factor.ts";
import { requireSecondFactor } from "./require-proof.ts";
import { RecoveryCodes, TypedCode } from "./second-factor.ts";

/** Replaces the caller's recovery codes. */
export const renewRecoveryCodes = operation({
  name: "auth.secondFactor.renewCodes",
  summary: "Get new recovery codes",
  description:
    "`code` is one of your app or a recovery code. With passkeys and no app you may leave it out: your confirmation of the last 15 minutes counts. The earlier recovery codes stop working.",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ code: TypedCode.default("") }),
  output: RecoveryCodes,
  async prepare({ code: typed }, preparation): Promise<{ method: string }> {
    if (await isProvenByPasskey(preparation, typed)) return { method: "passkey" };
    return requireSecondFactor(preparation, { action: "auth.secondFactor.renewCodes", field: "code", typed });
  },
  async run({ tx, actor, audit }, _input, { method }) {
    const { teamId, userId } = actor;
    await lockSecondFactor(tx, actor);
    audit.setTarget("user", userId);
    audit.addDetails({ method });
    return { recoveryCodes: await replaceRecoveryCodes(tx, { teamId, userId }) };
  },
});
