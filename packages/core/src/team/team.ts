import { isDeepStrictEqual } from "node:util";
import { stampMoment } from "@kb/db";
import { z } from "zod";
import { endGrants } from "../apps/end-grants.ts";
import { switchMcp } from "../assistants/mcp-switch.ts";
import { operation, query } from "../operation.ts";
import { requireCapability } from "../require-capability.ts";
import { Name } from "../schema/names.ts";
import { Timestamp, timestamp } from "../schema/text.ts";
import { requireFreshProof } from "../sessions/require-fresh-proof.ts";
import { switchSecondFactor } from "./switch-second-factor.ts";

/** The caller's team. */
export const Team = z
  .object({
    id: z.uuid(),
    name: z.string(),
    mcpEnabled: z.boolean(),
    secondFactorRequired: z.boolean(),
    /** Whether members connect only apps that are approved. */
    appApprovalRequired: z.boolean(),
    createdAt: Timestamp,
  })
  .meta({ id: "Team" });

const select = {
  id: true,
  name: true,
  mcpEnabled: true,
  secondFactorRequired: true,
  appApprovalRequired: true,
  createdAt: true,
} as const;

type TeamRow = {
  id: string;
  name: string;
  mcpEnabled: boolean;
  secondFactorRequired: boolean;
  appApprovalRequired: boolean;
  createdAt: Date;
};

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

/** Changes the team's name, or switches MCP or the need of a second factor on or off. */
export const updateTeam = operation({
  name: "team.update",
  summary: "Update the team's name, or switch MCP or the need of a second factor",
  description:
    "`name` and `secondFactorRequired` need the permission `settings.team_edit`, `mcpEnabled` and `appApprovalRequired` the permission `developer.mcp`. The switches need a log-in or auth.prove of the last 15 minutes. Switching MCP off ends all connections of assistants, and connected apps must be allowed again. Switching `secondFactorRequired` on logs members without a second factor out, and their next log-in sets one up. With `appApprovalRequired`, members connect only apps that are approved with oauth.apps.approve; apps that are connected stay.",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({
    name: Name.optional(),
    mcpEnabled: z.boolean().optional(),
    secondFactorRequired: z.boolean().optional(),
    appApprovalRequired: z.boolean().optional(),
  }),
  output: Team,
  async run(context, { name, mcpEnabled, secondFactorRequired, appApprovalRequired }) {
    const { tx, actor, now } = context;
    const switches = [mcpEnabled, secondFactorRequired, appApprovalRequired];
    if (name !== undefined) requireCapability(actor, "settings.team_edit");
    if (mcpEnabled !== undefined) requireCapability(actor, "developer.mcp");
    if (secondFactorRequired !== undefined) requireCapability(actor, "settings.team_edit");
    if (appApprovalRequired !== undefined) requireCapability(actor, "developer.mcp");
    if (switches.some((each) => each !== undefined)) requireFreshProof(actor, now);
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
    if (secondFactorRequired !== undefined && secondFactorRequired !== before.secondFactorRequired) {
      await switchSecondFactor(context, secondFactorRequired);
    }
    if (appApprovalRequired !== undefined && appApprovalRequired !== before.appApprovalRequired) {
      await tx.team.update({ where: { id: actor.teamId }, data: { appApprovalRequired } });
    }
    const after = {
      ...before,
      name: name ?? before.name,
      mcpEnabled: mcpEnabled ?? before.mcpEnabled,
      secondFactorRequired: secondFactorRequired ?? before.secondFactorRequired,
      appApprovalRequired: appApprovalRequired ?? before.appApprovalRequired,
    };
    if (isDeepStrictEqual(after, before)) context.audit.unchanged();
    return present(after);
  },
});
