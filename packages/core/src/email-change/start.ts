import { z } from "zod";
import { invalid } from "../errors.ts";
import { requireMayMail } from "../mail/require-may-mail.ts";
import { operation } from "../operation.ts";
import { Email } from "../schema/names.ts";
import { lockPeople } from "../users/authority.ts";
import { lockChange, mailChange, writeChange } from "./email-change.ts";
import { EmailChange, presentChange } from "./info.ts";

/** Begins to change the caller's e-mail address, or sends its links again. */
export const startEmailChange = operation({
  name: "auth.emailChange.start",
  summary: "Begin to change your e-mail address",
  description:
    "A link goes to your present address and another to the new one, each valid once, for an hour; the address changes when both were used. In an installation without a mail server, an admin gets the links with users.emailChangeLinks and hands them over. An address that belongs to another account gets the same answer. A repeated call sends the links again that were not used; with another address it replaces the change.",
  scope: "write",
  capability: null,
  sessionOnly: true,
  freshProof: true,
  input: z.strictObject({ email: Email }),
  output: EmailChange,
  async run({ tx, actor, now, mail, audit }, { email }) {
    const { teamId, userId } = actor;
    await lockPeople(tx, teamId);
    // Read under the lock: an admin may have changed it.
    const where = { teamId_id: { teamId, id: userId } };
    const { email: from } = await tx.user.findUniqueOrThrow({ where, select: { email: true } });
    if (email === from) throw invalid("email", "Is your address already");
    if (mail !== undefined) await requireMayMail(tx, teamId, [from, email], "member", now);
    const change = { teamId, userId, from, to: email };
    const { id, tokens, expiresAt } = await writeChange(tx, change, now);
    if (mail !== undefined) await mailChange(tx, mail, { ...change, id, tokens, expiresAt, causedById: userId }, now);
    audit.setTarget("user", userId);
    const row = await lockChange(tx, actor);
    if (row === null) throw new Error("the change was just written");
    return presentChange(row, mail !== undefined);
  },
});
