import { z } from "zod";
import { notFound } from "../errors.ts";
import { withdrawMails } from "../mail/withdraw-mails.ts";
import { operation } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { lockAuthority } from "../users/authority.ts";

/** Revokes an open invitation. Its link stops working at once. */
export const revokeInvitation = operation({
  name: "invitations.revoke",
  summary: "Revoke an invitation",
  scope: "write",
  capability: "settings.members",
  sessionOnly: true,
  input: z.strictObject({ id: Id }),
  output: z.object({ id: z.uuid(), status: z.literal("revoked") }),
  async run(context, { id }) {
    const { tx, actor, now } = context;
    await lockAuthority(context, "settings.members");
    const { count } = await tx.invitation.deleteMany({ where: { teamId: actor.teamId, id } });
    if (count === 0) throw notFound("Invitation");
    await withdrawMails(tx, actor.teamId, [id], now);
    return { id, status: "revoked" as const };
  },
});
