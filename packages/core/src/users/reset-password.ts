import { stampMoment } from "@kb/db";
import { z } from "zod";
import { ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { Password } from "../schema/names.ts";
import { Id } from "../schema/text.ts";
import { endAccess } from "../sessions/end-access.ts";
import { requirePasswords } from "../sessions/require-passwords.ts";
import { lockAuthority, requireNotAbove } from "./authority.ts";
import { choosePassword, UserWithPassword } from "./password.ts";
import { presentUser, requireUser } from "./user.ts";

/** Sets the password of another user. */
export const resetPassword = operation({
  name: "users.resetPassword",
  summary: "Reset a user's password",
  description:
    "Without `password`, the service generates one and returns it only in this response. Ends the user's sessions and connected apps; API keys stay.",
  scope: "write",
  capability: "settings.members",
  sessionOnly: true,
  freshProof: true,
  input: z.strictObject({ id: Id, password: Password.optional() }),
  output: UserWithPassword,
  prepare: ({ password }) => choosePassword(password),
  async run(context, { id }, password) {
    const { tx, actor, now } = context;
    const { teamId } = actor;
    requirePasswords(context);
    const authority = await lockAuthority(context, "settings.members");
    requireNotAbove(authority, await requireUser(tx, actor, id));
    if (id === actor.userId && actor.credential.kind !== "system") {
      throw new ServiceError("conflict", "Use auth.changePassword to change your own password.");
    }
    const at = await stampMoment(tx, teamId, now);
    const data = { passwordHash: password.hash, updatedAt: at };
    await tx.user.update({ where: { teamId_id: { teamId, id } }, data });
    await endAccess(context, id, "password_changed");
    return { user: presentUser(await requireUser(tx, actor, id)), password: password.shown };
  },
});
