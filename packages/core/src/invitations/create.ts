import { sql } from "@kb/db";
import { z } from "zod";
import { operation } from "../operation.ts";
import { Email, Ids } from "../schema/names.ts";
import { LanguageCode } from "../schema/profile.ts";
import { lockAuthority } from "../users/authority.ts";
import { findMembersGroup, requireGroups } from "../users/memberships.ts";
import { InvitationWithLink } from "./invitation.ts";
import { writeInvitations } from "./write-invitations.ts";

const maxAtOnce = 100;

const Emails = z
  .array(Email)
  .min(1, "At least one address")
  .max(maxAtOnce, `At most ${maxAtOnce} addresses`)
  .transform((emails) => [...new Set(emails)]);

/** Invites people by a link to a page on which they set their name and password. */
export const createInvitations = operation({
  name: "invitations.create",
  summary: "Invite people by link",
  description:
    "Each link is valid once, for 7 days. It is mailed; in an installation without a mail server, only this response contains it. An open invitation of the same address is replaced. Addresses of members are listed in `members` and not invited.",
  scope: "write",
  capability: "settings.members",
  sessionOnly: true,
  freshProof: true,
  input: z.strictObject({ emails: Emails, groupIds: Ids(100).optional(), language: LanguageCode.optional() }),
  output: z.object({ invitations: z.array(InvitationWithLink), members: z.array(z.email()) }),
  async run(context, { emails, groupIds, language = "en" }) {
    const { tx, actor, audit } = context;
    const authority = await lockAuthority(context, "settings.members");
    const groups = await requireGroups(tx, authority, groupIds ?? [await findMembersGroup(tx, actor.teamId)]);
    const rows = await tx.rows<{ email: string }>(sql`SELECT u.email FROM users u
      WHERE u."teamId" = ${actor.teamId}::uuid AND u.email = ANY(${emails}::text[]) ORDER BY u.email`);
    const members = rows.map(({ email }) => email);
    const invited = emails.filter((email) => !members.includes(email));
    if (invited.length === 0) audit.unchanged();
    audit.setTarget("team", actor.teamId);
    audit.addDetails({ invited: invited.length });
    const joined = groups.map(({ id }) => id);
    const written = invited.map((email) => ({ email, groupIds: joined, language }));
    return { invitations: await writeInvitations(context, written), members };
  },
});
