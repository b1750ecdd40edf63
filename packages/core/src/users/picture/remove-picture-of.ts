import { stampMoment } from "@kb/db";
import { z } from "zod";
import { operation } from "../../operation.ts";
import { Id } from "../../schema/text.ts";
import { lockAuthority, requireNotAbove } from "../authority.ts";
import { requireUser } from "../user.ts";
import { PictureVersion } from "./require-picture.ts";

/** Removes the picture of another user. Without one it leaves no trace. */
export const removePictureOf = operation({
  name: "users.removePicture",
  summary: "Remove the picture of a user",
  description: "For a picture that has no place in the team. The user may set another one.",
  scope: "write",
  capability: "settings.members",
  sessionOnly: true,
  input: z.strictObject({ id: Id }),
  output: PictureVersion,
  async run(context, { id }) {
    const { tx, actor, now, audit } = context;
    const { teamId } = actor;
    const authority = await lockAuthority(context, "settings.members");
    requireNotAbove(authority, await requireUser(tx, actor, id));
    // Before the row, as in a change of the picture.
    await stampMoment(tx, teamId, now);
    const { count } = await tx.userPicture.deleteMany({ where: { teamId, userId: id } });
    if (count === 0) audit.unchanged();
    return { picture: null };
  },
});
