import { hashPassword } from "@kb/auth";
import { stampMoment } from "@kb/db";
import { z } from "zod";
import { ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { Password } from "../schema/names.ts";
import { requireStrongPassword } from "../users/require-strong-password.ts";
import { endAccess } from "./end-access.ts";
import { requirePassword } from "./require-password.ts";
import { requirePasswords } from "./require-passwords.ts";

/** The hash of the current password, which was verified, and the hash of the new one. */
type Hashes = { readonly present: string; readonly next: string };

/**
 * Changes the caller's password. Wrong current passwords are limited over minutes and days, so that a stolen session cannot
 * guess it.
 */
export const changePassword = operation({
  name: "auth.changePassword",
  summary: "Change your password",
  description:
    "The new password must not be a leaked or simple one. Ends your other sessions and disconnects your apps; API keys stay.",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ currentPassword: z.string().max(1024), newPassword: Password }),
  output: z.object({ status: z.literal("changed") }),
  async prepare({ currentPassword, newPassword }, preparation): Promise<Hashes> {
    const { service, actor } = preparation;
    requirePasswords(service);
    const where = { teamId_id: { teamId: actor.teamId, id: actor.userId } };
    const user = await service.database.client.user.findUnique({ where, select: { passwordHash: true } });
    const present = user?.passwordHash;
    if (present == null) {
      throw new ServiceError("conflict", "You have no password. An admin can set one for you.");
    }
    const typed = { action: "auth.changePassword", field: "currentPassword", hash: present, typed: currentPassword };
    await requirePassword(preparation, typed);
    await requireStrongPassword("newPassword", newPassword, { name: actor.userName, email: actor.email });
    return { present, next: await hashPassword(newPassword) };
  },
  async run(context, _input, { present, next }) {
    const { tx, actor, now, audit } = context;
    const { teamId, userId, credential } = actor;
    audit.setTarget("user", userId);
    // Locks the clock before the user's row, in the same order as allowing an app.
    await stampMoment(tx, teamId, now);
    const { count } = await tx.user.updateMany({
      where: { teamId, id: userId, passwordHash: present },
      data: { passwordHash: next, updatedAt: now },
    });
    if (count === 0) throw new ServiceError("conflict", "Your password has just been changed by another request.");
    await endAccess(context, userId, "password_changed", credential.id);
    return { status: "changed" as const };
  },
});
