import { stampMoment } from "@kb/db";
import { z } from "zod";
import { operation, type WriteContext } from "../operation.ts";
import { Email, Ids, Name } from "../schema/names.ts";
import { Id } from "../schema/text.ts";
import { withFreeEmail } from "./add.ts";
import { lockAuthority, requireNotAbove } from "./authority.ts";
import { setGroups } from "./memberships.ts";
import { presentUser, requireUser, TeamUser } from "./user.ts";

const forMembers = { scope: "write", capability: "settings.members", sessionOnly: true } as const;

/** Changes what somebody is called, their e-mail address or their groups. */
export const updateUser = operation({
  name: "users.update",
  summary: "Change a person's name, e-mail address or groups",
  description: "`groupIds` replaces the groups. Nobody changes somebody who may do more than they may themselves.",
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

/** Puts somebody into exactly these groups. */
export const setUserGroups = operation({
  name: "users.groups",
  summary: "Set a person's groups",
  description: "Nobody gives a permission that they do not hold, and the last active admin stays one.",
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
    context.audit.nothing();
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
