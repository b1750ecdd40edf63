import { stampMoment } from "@kb/db";
import { z } from "zod";
import type { WriteContext } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { endAccess } from "../sessions/end-access.ts";
import { lockAuthority, requireAnAdmin, requireNotAbove } from "./authority.ts";
import { presentUser, requireUser, TeamUser, type UserRow } from "./user.ts";

const definition = {
  scope: "write",
  capability: "settings.members",
  sessionOnly: true,
  freshProof: true,
  input: z.strictObject({ id: Id }),
  output: TeamUser,
} as const;

function answerUnchanged({ audit }: WriteContext, user: UserRow) {
  audit.unchanged();
  return presentUser(user);
}

/**
 * Suspends a user. All of their credentials are refused from the next request on. A repeat keeps the time of the first
 * call.
 */
export const suspendUser = operation({
  name: "users.suspend",
  summary: "Suspend a user",
  description:
    "Ends all API keys, sessions and connected apps of the user at once. The last active admin cannot be suspended.",
  ...definition,
  async run(context, { id }) {
    const { tx, actor } = context;
    const before = await lockForChange(context, id);
    if (before.suspendedAt !== null) return answerUnchanged(context, before);
    if (id === actor.userId && actor.credential.kind !== "system") {
      throw new ServiceError("conflict", "You cannot suspend yourself.");
    }
    await save(context, id, true);
    await requireAnAdmin(tx, actor.teamId);
    await endAccess(context, id, "user_suspended");
    return presentUser(await requireUser(tx, actor, id));
  },
});

/** Reactivates a suspended user, with their API keys. A repeat changes nothing. */
export const unsuspendUser = operation({
  name: "users.unsuspend",
  summary: "Reactivate a suspended user",
  description: "Their API keys work again; they must log in and connect their apps again.",
  ...definition,
  async run(context, { id }) {
    const before = await lockForChange(context, id);
    if (before.suspendedAt === null) return answerUnchanged(context, before);
    await save(context, id, false);
    return presentUser(await requireUser(context.tx, context.actor, id));
  },
});

async function lockForChange(context: WriteContext, id: string): Promise<UserRow> {
  const authority = await lockAuthority(context, "settings.members");
  const user = await requireUser(context.tx, context.actor, id);
  requireNotAbove(authority, user);
  return user;
}

async function save({ tx, actor, now }: WriteContext, id: string, suspended: boolean): Promise<void> {
  const { teamId } = actor;
  const at = await stampMoment(tx, teamId, now);
  const data = { suspendedAt: suspended ? at : null, updatedAt: at };
  await tx.user.update({ where: { teamId_id: { teamId, id } }, data });
}
