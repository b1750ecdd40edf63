import { stampMoment } from "@kb/db";
import { z } from "zod";
import { operation } from "../../operation.ts";
import { PictureVersion } from "./require-picture.ts";

/** Removes the picture of the caller. Without one it leaves no trace. */
export const removePicture = operation({
  name: "auth.picture.remove",
  summary: "Remove your picture",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({}),
  output: PictureVersion,
  async run({ tx, actor, now, audit }) {
    const { teamId, userId } = actor;
    audit.setTarget("user", userId);
    // Before the row, as in a change of the picture.
    await stampMoment(tx, teamId, now);
    const { count } = await tx.userPicture.deleteMany({ where: { teamId, userId } });
    if (count === 0) audit.unchanged();
    return { picture: null };
  },
});
