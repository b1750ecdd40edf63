import { newId, stampMoment } from "@kb/db";
import { z } from "zod";
import { operation } from "../operation.ts";
import { type Edge, requireWholeTeam } from "../require-whole-team.ts";
import { Name } from "../schema/names.ts";
import { lockAuthority, requireMayGrant } from "../users/authority.ts";
import { Capabilities, Group, presentGroup, requireFreeName, requireGroup } from "./group.ts";

const creating = (edge: Edge) =>
  operation({
    ...edge,
    summary: "Create a group",
    description: "You cannot give a group a permission that you lack.",
    capability: "settings.groups",
    freshProof: true,
    input: z.strictObject({ name: Name, capabilities: Capabilities }),
    output: Group,
    async run(context, { name, capabilities }) {
      const { tx, actor, now } = context;
      requireWholeTeam(actor, "create groups");
      const authority = await lockAuthority(context, "settings.groups");
      requireMayGrant(authority, capabilities);
      await requireFreeName(tx, actor, name);
      const at = await stampMoment(tx, actor.teamId, now);
      const id = newId();
      await tx.group.create({ data: { teamId: actor.teamId, id, name, capabilities, createdAt: at } });
      return presentGroup(await requireGroup(tx, actor, id));
    },
  });

/** Creates a custom group. */
export const createGroup = creating({ name: "groups.create", scope: "write", sessionOnly: true });

/** Creates a custom group with an API key of scope `admin`. */
export const createGroupByKey = creating({ name: "admin.groups.create", scope: "admin" });
