import { stampMoment } from "@kb/db";
import { z } from "zod";
import { operation } from "../../operation.ts";
import { PictureVersion } from "../../users/picture/require-picture.ts";

/** Removes the logo of the caller's team. Without one it leaves no trace. */
export const removeLogo = operation({
  name: "team.removeLogo",
  summary: "Remove the logo of the team",
  scope: "write",
  capability: "settings.team_edit",
  sessionOnly: true,
  input: z.strictObject({}),
  output: PictureVersion,
  async run({ tx, actor, now, audit }) {
    const { teamId } = actor;
    audit.setTarget("team", teamId);
    // Before the row, as in a change of the logo.
    await stampMoment(tx, teamId, now);
    const { count } = await tx.teamLogo.deleteMany({ where: { teamId } });
    if (count === 0) audit.unchanged();
    return { picture: null };
  },
});
