import { sql } from "@kb/db";
import { z } from "zod";
import { notFound } from "../../errors.ts";
import { query } from "../../operation.ts";
import { PictureFile, type ReceivedPicture } from "../../users/picture/require-picture.ts";

/** Returns the logo of the caller's team, which everybody in it sees beside the team's name. */
export const getLogo = query({
  name: "team.logo",
  summary: "Get the logo of the team",
  scope: "read",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({}),
  output: PictureFile,
  async run({ reader, actor }) {
    const [row] = await reader.rows<ReceivedPicture>(sql`
      SELECT l."contentType", l.version, l.bytes FROM team_logos l WHERE l."teamId" = ${actor.teamId}::uuid`);
    if (row === undefined) throw notFound("Logo");
    return row;
  },
});
