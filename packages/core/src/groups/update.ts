import { stampMoment } from "@kb/db";
import { z } from "zod";
import { ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { Name } from "../schema/names.ts";
import { Id } from "../schema/text.ts";
import { lockAuthority, requireMayGrant } from "../users/authority.ts";
import { Capabilities, Group, type GroupRow, presentGroup, requireFreeName, requireGroup } from "./group.ts";

/** Changes the name or the permissions of a group. */
export const updateGroup = operation({
  name: "groups.update",
  summary: "Update a group",
  description:
    "You cannot add or remove a permission that you lack. Built-in groups keep their names, and Admins keeps all permissions.",
  scope: "write",
  capability: "settings.groups",
  sessionOnly: true,
  freshProof: true,
  input: z.strictObject({ id: Id, name: Name.optional(), capabilities: Capabilities.optional() }),
  output: Group,
  async run(context, request) {
    const { tx, actor, now } = context;
    const authority = await lockAuthority(context, "settings.groups");
    const before = await requireGroup(tx, actor, request.id);
    const { name = before.name, capabilities = before.capabilities } = request;
    const renamed = name !== before.name;
    const added = capabilities.filter((capability) => !before.capabilities.includes(capability));
    const removed = before.capabilities.filter((capability) => !capabilities.some((kept) => kept === capability));
    if (!renamed && added.length + removed.length === 0) {
      context.audit.unchanged();
      return presentGroup(before);
    }
    requireOpen(before, renamed);
    requireMayGrant(authority, added);
    // A caller with fewer permissions than the group must not take them from its members.
    requireMayGrant(authority, removed);
    // Single sign-on puts people into groups by their names.
    if (renamed) requireMayGrant(authority, before.capabilities);
    if (renamed) await requireFreeName(tx, actor, name, before.id);
    await stampMoment(tx, actor.teamId, now);
    const where = { teamId_id: { teamId: actor.teamId, id: before.id } };
    await tx.group.update({ where, data: { name, capabilities } });
    return presentGroup({ ...before, name, capabilities });
  },
});

/**
 * Requires that the group may change in this way.
 * @throws {ServiceError} `conflict` for Admins, and for a new name of a built-in group.
 */
function requireOpen({ builtIn }: GroupRow, renamed: boolean): void {
  if (builtIn === "admins") throw new ServiceError("conflict", "The group Admins cannot be changed.");
  if (builtIn !== null && renamed) throw new ServiceError("conflict", "A built-in group cannot be renamed.");
}
