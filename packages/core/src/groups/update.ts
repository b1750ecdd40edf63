import { stampMoment } from "@kb/db";
import { z } from "zod";
import { ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { Name } from "../schema/names.ts";
import { Id } from "../schema/text.ts";
import { lockAuthority, requireMayGrant } from "../users/authority.ts";
import { Capabilities, Group, type GroupRow, presentGroup, requireFreeName, requireGroup } from "./group.ts";

/** Changes a group's name or what its members may do. */
export const updateGroup = operation({
  name: "groups.update",
  summary: "Change a group",
  description:
    "Nobody adds a permission that they do not hold themselves. A built-in group keeps its name, and Admins all of its permissions.",
  scope: "write",
  capability: "settings.groups",
  sessionOnly: true,
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
      context.audit.nothing();
      return presentGroup(before);
    }
    requireOpen(before, renamed);
    requireMayGrant(authority, added);
    // Whoever has less than a group gives must not take from it what the people above them hold.
    requireMayGrant(authority, removed);
    if (renamed) await requireFreeName(tx, actor, name, before.id);
    await stampMoment(tx, actor.teamId, now);
    const where = { teamId_id: { teamId: actor.teamId, id: before.id } };
    await tx.group.update({ where, data: { name, capabilities } });
    return presentGroup({ ...before, name, capabilities });
  },
});

/** @throws {ServiceError} `conflict` for what every team can rely on. */
function requireOpen({ builtIn }: GroupRow, renamed: boolean): void {
  if (builtIn === "admins") throw new ServiceError("conflict", "The group Admins stays as it is.");
  if (builtIn !== null && renamed) throw new ServiceError("conflict", "A built-in group keeps its name.");
}
