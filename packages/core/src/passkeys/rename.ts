import { z } from "zod";
import { notFound } from "../errors.ts";
import { operation } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { Passkey, PasskeyName, passkeyColumns, presentPasskey } from "./passkey.ts";

/** Renames a passkey of the caller. */
export const renamePasskey = operation({
  name: "auth.passkeys.rename",
  summary: "Rename a passkey",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ id: Id, name: PasskeyName }),
  output: Passkey,
  async run({ tx, actor, audit }, { id, name }) {
    const { teamId, userId } = actor;
    const where = { teamId, userId, id };
    const before = await tx.passkey.findFirst({ where, select: passkeyColumns });
    if (before === null) throw notFound("Passkey");
    if (before.name === name) {
      audit.unchanged();
      return presentPasskey(before);
    }
    await tx.passkey.updateMany({ where, data: { name } });
    audit.setTarget("user", userId);
    audit.addDetails({ passkey: id });
    return presentPasskey({ ...before, name });
  },
});
