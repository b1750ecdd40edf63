import { stampMoment } from "@kb/db";
import { z } from "zod";
import { ServiceError } from "../errors.ts";
import { operation, type WriteContext } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { endAccess } from "../sessions/end-access.ts";
import { lockAuthority, requireAnAdmin, requireNotAbove } from "./authority.ts";
import { presentUser, requireUser, TeamUser, type UserRow } from "./user.ts";

const definition = {
  scope: "write",
  capability: "settings.members",
  sessionOnly: true,
  input: z.strictObject({ id: Id }),
  output: TeamUser,
} as const;

function unchanged({ audit }: WriteContext, user: UserRow) {
  audit.nothing();
  return presentUser(user);
}

/** Shuts somebody out: the next request with any credential of theirs is refused. A repeat keeps the first time. */
export const suspendUser = operation({
  name: "users.suspend",
  summary: "Suspend a person",
  description: "Their keys, log-ins and connected apps stop at once. The last active admin cannot be suspended.",
  ...definition,
  async run(context, { id }) {
    const { tx, actor } = context;
    const before = await begin(context, id);
    if (before.suspendedAt !== null) return unchanged(context, before);
    if (id === actor.userId && actor.credential.kind !== "system") {
      throw new ServiceError("conflict", "You cannot suspend yourself.");
    }
    await save(context, id, true);
    await requireAnAdmin(tx, actor.teamId);
    await endAccess(context, id, "user_suspended");
    return presentUser(await requireUser(tx, actor, id));
  },
});

/** Lets somebody in again, with the keys that they had. A repeat changes nothing. */
export const unsuspendUser = operation({
  name: "users.unsuspend",
  summary: "Let a suspended person in again",
  description: "Their API keys work again; log-ins and connected apps begin anew.",
  ...definition,
  async run(context, { id }) {
    const before = await begin(context, id);
    if (before.suspendedAt === null) return unchanged(context, before);
    await save(context, id, false);
    return presentUser(await requireUser(context.tx, context.actor, id));
  },
});

async function begin(context: WriteContext, id: string): Promise<UserRow> {
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
