import { stampMoment } from "@kb/db";
import { z } from "zod";
import { endGrants } from "../apps/end-grants.ts";
import { switchMcp } from "../assistants/mcp-switch.ts";
import { operation, query } from "../operation.ts";
import { requireCapability } from "../require-capability.ts";
import { Name } from "../schema/names.ts";
import { Timestamp, timestamp } from "../schema/text.ts";

/** The caller's team. */
export const Team = z
  .object({ id: z.uuid(), name: z.string(), mcpEnabled: z.boolean(), createdAt: Timestamp })
  .meta({ id: "Team" });

const select = { id: true, name: true, mcpEnabled: true, createdAt: true } as const;

type TeamRow = { id: string; name: string; mcpEnabled: boolean; createdAt: Date };

const present = (row: TeamRow): z.input<typeof Team> => ({ ...row, createdAt: timestamp(row.createdAt) });

/** Reads the caller's team. */
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

/** Changes the team's name, or switches MCP on or off. */
export const updateTeam = operation({
  name: "team.update",
  summary: "Update the team's name, or switch MCP on or off",
  description:
    "`name` needs the permission `settings.team_edit`, `mcpEnabled` the permission `developer.mcp`. Switching MCP off ends all connections of assistants, and connected apps must be allowed again.",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ name: Name.optional(), mcpEnabled: z.boolean().optional() }),
  output: Team,
  async run(context, { name, mcpEnabled }) {
    const { tx, actor, now } = context;
    if (name !== undefined) requireCapability(actor, "settings.team_edit");
    if (mcpEnabled !== undefined) requireCapability(actor, "developer.mcp");
    const at = await stampMoment(tx, actor.teamId, now);
    // Reads the team under the lock of its clock, so that no concurrent change intervenes.
    const before = await tx.team.findUniqueOrThrow({ where: { id: actor.teamId }, select });
    if (name !== undefined && name !== before.name) {
      await tx.team.update({ where: { id: actor.teamId }, data: { name } });
    }
    if (mcpEnabled !== undefined && mcpEnabled !== before.mcpEnabled) {
      await switchMcp(tx, actor.teamId, mcpEnabled, at);
      // Connected apps only serve MCP: they lose their access when it is switched off.
      if (!mcpEnabled) await endGrants(context, {}, "mcp_disabled");
    }
    if ((name ?? before.name) === before.name && (mcpEnabled ?? before.mcpEnabled) === before.mcpEnabled) {
      context.audit.unchanged();
    }
    return present({ ...before, name: name ?? before.name, mcpEnabled: mcpEnabled ?? before.mcpEnabled });
  },
});
