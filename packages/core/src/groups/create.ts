import { newId, stampMoment } from "@kb/db";
import { z } from "zod";
import { operation } from "../operation.ts";
import { Name } from "../schema/names.ts";
import { lockAuthority, requireMayGrant } from "../users/authority.ts";
import { Capabilities, Group, presentGroup, requireFreeName, requireGroup } from "./group.ts";

/** Makes a group of the team's own. */
export const createGroup = operation({
  name: "groups.create",
  summary: "Create a group",
  description: "Nobody gives a group a permission that they do not hold themselves.",
  scope: "write",
  capability: "settings.groups",
  sessionOnly: true,
  input: z.strictObject({ name: Name, capabilities: Capabilities }),
  output: Group,
  async run(context, { name, capabilities }) {
    const { tx, actor, now } = context;
    const authority = await lockAuthority(context, "settings.groups");
    requireMayGrant(authority, capabilities);
    await requireFreeName(tx, actor, name);
    const at = await stampMoment(tx, actor.teamId, now);
    const id = newId();
    await tx.group.create({ data: { teamId: actor.teamId, id, name, capabilities, createdAt: at } });
    return presentGroup(await requireGroup(tx, actor, id));
  },
});
