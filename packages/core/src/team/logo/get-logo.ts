import { z } from "zod";
import { notFound } from "../../errors.ts";
import { query } from "../../operation.ts";
import { PictureFile } from "../../users/picture/require-picture.ts";
import { findLogo } from "./find-logo.ts";

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
    const logo = await findLogo(reader, actor.teamId);
    if (logo === undefined) throw notFound("Logo");
    return logo;
  },
});
