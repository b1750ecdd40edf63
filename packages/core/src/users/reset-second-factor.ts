import { endSessions, removeSecondFactor } from "@kb/auth";
import { z } from "zod";
import { ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { warnOfRemoval } from "../second-factor/warn-owner.ts";
import { lockAuthority, requireNotAbove } from "./authority.ts";
import { presentUser, requireUser, TeamUser } from "./user.ts";

/** Removes the second factor of another user, who has lost it. */
export const resetSecondFactor = operation({
  name: "users.resetSecondFactor",
  summary: "Remove the second factor of a user",
  description:
    "For somebody who lost their device and their recovery codes. Their sessions end, their next log-in needs only the password, and a mail tells them. A user without a second factor stays as they are.",
  scope: "write",
  capability: "settings.members",
  sessionOnly: true,
  freshProof: true,
  input: z.strictObject({ id: Id }),
  output: TeamUser,
  async run(context, { id }) {
    const { tx, actor, audit } = context;
    const { teamId } = actor;
    const authority = await lockAuthority(context, "settings.members");
    const user = await requireUser(tx, actor, id);
    requireNotAbove(authority, user);
    // A stolen session must not remove the factor that it cannot prove.
    if (id === actor.userId && actor.credential.kind !== "system") {
      throw new ServiceError("conflict", "Use auth.secondFactor.remove to remove your own second factor.");
    }
    if (await removeSecondFactor(tx, { teamId, userId: id })) {
      await endSessions(tx, teamId, id);
      await warnOfRemoval(context, id);
    } else audit.unchanged();
    return presentUser({ ...user, hasSecondFactor: false });
  },
});
