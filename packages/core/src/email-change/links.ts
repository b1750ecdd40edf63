import { z } from "zod";
import { notFound, ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { lockAuthority, requireNotAbove } from "../users/authority.ts";
import { requireUser } from "../users/user.ts";
import { lockChange, writeChange } from "./email-change.ts";

/** Makes the links of a user's change of address anew, to hand over in an installation without a mail server. */
export const createEmailChangeLinks = operation({
  name: "users.emailChangeLinks",
  summary: "Get the links that confirm a user's new e-mail address",
  description:
    "For an installation without a mail server: hand each link over to the owner of its address, in a way that proves that it is theirs. Null for an address that has confirmed. Earlier links of the change stop working. Where mails are sent, it is a conflict.",
  scope: "write",
  capability: "settings.members",
  sessionOnly: true,
  freshProof: true,
  input: z.strictObject({ id: Id }),
  output: z.object({
    email: z.string(),
    links: z.object({ old: z.url().nullable(), new: z.url().nullable() }),
  }),
  async run(context, { id }) {
    const { tx, actor, now, mail, appUrl } = context;
    const { teamId } = actor;
    const authority = await lockAuthority(context, "settings.members");
    const user = await requireUser(tx, actor, id);
    requireNotAbove(authority, user);
    if (mail !== undefined) throw new ServiceError("conflict", "The links are mailed. The user can send them again.");
    const change = await lockChange(tx, { teamId, userId: id });
    if (change === null || change.expiresAt <= now || change.fromEmail !== user.email) throw notFound("Change");
    const { fromEmail: from, toEmail: to } = change;
    const { tokens } = await writeChange(tx, { teamId, userId: id, from, to }, now);
    const linkOf = (token: string | null) => (token === null ? null : `${appUrl}/login/email/${token}`);
    return { email: to, links: { old: linkOf(tokens.old), new: linkOf(tokens.new) } };
  },
});
