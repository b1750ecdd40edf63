import { z } from "zod";
import { ServiceError } from "../errors.ts";
import { queueMails } from "../mail/queue-mails.ts";
import { requireMayMail } from "../mail/require-may-mail.ts";
import { operation } from "../operation.ts";
import { createResetLink, resetTtlMs } from "../password-reset/reset-links.ts";
import { LanguageCode } from "../schema/profile.ts";
import { Id } from "../schema/text.ts";
import { requirePasswords } from "../sessions/require-passwords.ts";
import { lockAuthority, requireNotAbove } from "./authority.ts";
import { presentUser, requireUser, TeamUser } from "./user.ts";

/** Gives a user a link to set their password, by mail or to hand over. Their password stays until they use it. */
export const createPasswordLink = operation({
  name: "users.createPasswordLink",
  summary: "Send a user a link to set their password",
  description: `The link is valid once, for ${resetTtlMs / 60_000} minutes. It is mailed; in an installation without a mail server, only this response contains it. Earlier links of the user stop working.`,
  scope: "write",
  capability: "settings.members",
  sessionOnly: true,
  freshProof: true,
  input: z.strictObject({ id: Id }),
  output: z.object({ user: TeamUser, link: z.url().nullable() }),
  async run(context, { id }) {
    const { tx, actor, now, mail, appUrl } = context;
    const { teamId } = actor;
    requirePasswords(context);
    const authority = await lockAuthority(context, "settings.members");
    const user = await requireUser(tx, actor, id);
    requireNotAbove(authority, user);
    // A stolen session must not replace the password that it does not know.
    if (id === actor.userId && actor.credential.kind !== "system") {
      throw new ServiceError("conflict", "Use auth.changePassword to change your own password.");
    }
    if (user.suspendedAt !== null) throw new ServiceError("conflict", "This user is suspended. Reactivate them first.");
    const { email } = user;
    if (mail !== undefined) await requireMayMail(tx, teamId, [email], "admin", now);
    const createdById = actor.credential.kind === "system" ? null : actor.userId;
    const created = await createResetLink(tx, { teamId, userId: id, email, createdById }, now);
    const { id: subjectId, token, expiresAt } = created;
    if (mail === undefined) return { user: presentUser(user), link: `${appUrl}/reset/${token}` };
    const where = { teamId_id: { teamId, id } };
    const select = { language: true, team: { select: { name: true } } };
    const reader = await tx.user.findUniqueOrThrow({ where, select });
    const language = LanguageCode.catch("en").parse(reader.language);
    const facts = { team: reader.team.name };
    const link = { subjectId, userId: id, token, at: now, expiresAt };
    await queueMails(tx, mail, [
      { teamId, recipient: email, kind: "password_reset", language, facts, causedById: actor.userId, ...link },
    ]);
    return { user: presentUser(user), link: null };
  },
});
