import { z } from "zod";
import { notFound } from "../errors.ts";
import { operation } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { lockAuthority } from "../users/authority.ts";
import { requireGroups } from "../users/memberships.ts";
import { InvitationWithLink, requireInvitation } from "./invitation.ts";
import { writeInvitations } from "./write-invitations.ts";

/** Sends an invitation again with a new link on the caller's behalf. */
export const resendInvitation = operation({
  name: "invitations.resend",
  summary: "Send an invitation again",
  description: "Its earlier link stops working, and the new one is valid for 7 days. You become the one who invites.",
  scope: "write",
  capability: "settings.members",
  sessionOnly: true,
  freshProof: true,
  input: z.strictObject({ id: Id }),
  output: InvitationWithLink,
  async run(context, { id }) {
    const { tx, actor } = context;
    const authority = await lockAuthority(context, "settings.members");
    const { email, groups, language } = await requireInvitation(tx, actor, id);
    const groupIds = groups.map((group) => group.id);
    await requireGroups(tx, authority, groupIds);
    const [written] = await writeInvitations(context, [{ id, email, groupIds, language }]);
    if (written === undefined) throw notFound("Invitation");
    return written;
  },
});
