import { holds } from "@kb/auth";
import { stampMoment } from "@kb/db";
import { z } from "zod";
import { endGrants } from "../apps/end-grants.ts";
import { switchMcp } from "../assistants/enabled.ts";
import { ServiceError } from "../errors.ts";
import { operation, query, type WriteContext } from "../operation.ts";
import { Name } from "../schema/names.ts";
import { Timestamp, timestamp } from "../schema/text.ts";

/** The caller's team. */
export const Team = z
  .object({ id: z.uuid(), name: z.string(), mcpEnabled: z.boolean(), createdAt: Timestamp })
  .meta({ id: "Team" });

const select = { id: true, name: true, mcpEnabled: true, createdAt: true } as const;

type TeamRow = { id: string; name: string; mcpEnabled: boolean; createdAt: Date };

const present = (row: TeamRow): z.input<typeof Team> => ({ ...row, createdAt: timestamp(row.createdAt) });

/** The team that the caller belongs to. */
export const getTeam = query({
  name: "team.info",
  summary: "Get the team",
  scope: "read",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({}),
  output: Team,
  async run({ database, actor }) {
    return present(await database.client.team.findUniqueOrThrow({ where: { id: actor.teamId }, select }));
  },
});

/** Changes the team's name, or switches MCP on or off for it. */
export const updateTeam = operation({
  name: "team.update",
  summary: "Change the team's name, or switch MCP on or off",
  description:
    "`name` needs the permission `settings.team_edit`, `mcpEnabled` the permission `developer.mcp`. Switching MCP off ends every connection of an assistant, and connected apps have to be allowed again.",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ name: Name.optional(), mcpEnabled: z.boolean().optional() }),
  output: Team,
  async run(context, { name, mcpEnabled }) {
    const { tx, actor, now, call } = context;
    if (name !== undefined) require(context, "settings.team_edit");
    if (mcpEnabled !== undefined) require(context, "developer.mcp");
    const at = await stampMoment(tx, actor.teamId, now);
    // Read once the clock is ours: nobody else changes it meanwhile.
    const before = await tx.team.findUniqueOrThrow({ where: { id: actor.teamId }, select });
    if (name !== undefined && name !== before.name) {
      await tx.team.update({ where: { id: actor.teamId }, data: { name } });
    }
    if (mcpEnabled !== undefined && mcpEnabled !== before.mcpEnabled) {
      await switchMcp(tx, actor.teamId, mcpEnabled, at);
      // Connected apps are for assistants: where there are none, no app keeps a way in.
      if (!mcpEnabled) await endGrants(tx, { teamId: actor.teamId }, { reason: "mcp_disabled", by: actor, now, call });
    }
    if ((name ?? before.name) === before.name && (mcpEnabled ?? before.mcpEnabled) === before.mcpEnabled) {
      context.audit.nothing();
    }
    return present({ ...before, name: name ?? before.name, mcpEnabled: mcpEnabled ?? before.mcpEnabled });
  },
});

function require({ actor }: WriteContext, capability: "settings.team_edit" | "developer.mcp"): void {
  if (holds(actor, capability)) return;
  throw new ServiceError("forbidden", `This needs the permission \`${capability}\`.`);
}
