import { sql, stampMoment } from "@kb/db";
import { operation } from "../../operation.ts";
import { PictureInput, PictureVersion, pictureLimits, requirePicture } from "../../users/picture/require-picture.ts";

/** Sets the logo of the caller's team. The same logo again leaves no trace. */
export const setLogo = operation({
  name: "team.setLogo",
  summary: "Set the logo of the team",
  description: `${pictureLimits} People of the team see it beside the team's name. It counts against no quota.`,
  scope: "write",
  capability: "settings.team_edit",
  sessionOnly: true,
  input: PictureInput,
  output: PictureVersion,
  prepare: requirePicture,
  async run({ tx, actor, now, audit }, _input, { bytes, contentType, version }) {
    const { teamId } = actor;
    audit.setTarget("team", teamId);
    // The lock of the clock makes concurrent changes of the logo run one after another.
    const at = await stampMoment(tx, teamId, now);
    const changed = await tx.execute(sql`
      INSERT INTO team_logos AS l ("teamId", "contentType", version, bytes, "createdAt")
      VALUES (${teamId}::uuid, ${contentType}, ${version}, ${bytes}, ${at}::timestamptz)
      ON CONFLICT ("teamId") DO UPDATE SET "contentType" = EXCLUDED."contentType", version = EXCLUDED.version,
        bytes = EXCLUDED.bytes, "createdAt" = EXCLUDED."createdAt" WHERE l.version <> EXCLUDED.version`);
    if (changed === 0) audit.unchanged();
    return { picture: version };
  },
});
