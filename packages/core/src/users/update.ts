import { stampMoment } from "@kb/db";
import { z } from "zod";
import type { WriteContext } from "../context.ts";
import { operation } from "../operation.ts";
import { Email, Ids, Name } from "../schema/names.ts";
import { Id } from "../schema/text.ts";
import { withFreeEmail } from "./add.ts";
import { lockAuthority, requireNotAbove } from "./authority.ts";
import { setGroups } from "./memberships.ts";
import { presentUser, requireUser, TeamUser } from "./user.ts";

const forMembers = { scope: "write", capability: "settings.members", sessionOnly: true, freshProof: true } as const;

/** Changes the name, e-mail address or groups of a user. */
export const updateUser = operation({
  name: "users.update",
  summary: "Update a user's name, e-mail address or groups",
  description: "`groupIds` replaces the groups. You cannot change a user who has permissions that you lack.",
  ...forMembers,
  input: z.strictObject({
    id: Id,
    name: Name.optional(),
    email: Email.optional(),
    groupIds: Ids(100).optional(),
  }),
  output: TeamUser,
  run: (context, request) => change(context, request),
});

/** Sets the groups of a user. */
export const setUserGroups = operation({
  name: "users.groups",
  summary: "Set a user's groups",
  description: "You cannot give a permission that you lack, or remove the last active admin.",
  ...forMembers,
  input: z.strictObject({ id: Id, groupIds: Ids(100) }),
  output: TeamUser,
  run: (context, request) => change(context, request),
});

type Change = {
  id: string;
  name?: string | undefined;
  email?: string | undefined;
  groupIds?: readonly string[] | undefined;
};

async function change(context: WriteContext, request: Change): Promise<z.input<typeof TeamUser>> {
  const { tx, actor } = context;
  const authority = await lockAuthority(context, "settings.members");
  const before = await requireUser(tx, actor, request.id);
  requireNotAbove(authority, before);
  const { name = before.name, email = before.email, groupIds } = request;
  const regrouped = groupIds !== undefined && (await setGroups(tx, authority, before, groupIds));
  if (!regrouped && name === before.name && email === before.email) {
    context.audit.unchanged();
    return presentUser(before);
  }
  await save(context, request.id, { name, email });
  return presentUser(await requireUser(tx, actor, request.id));
}

async function save({ tx, actor, now }: WriteContext, id: string, data: { name: string; email: string }) {
  const { teamId } = actor;
  const at = await stampMoment(tx, teamId, now);
  const where = { teamId_id: { teamId, id } };
  await withFreeEmail(data.email, () => tx.user.update({ where, data: { ...data, updatedAt: at } }));
}
