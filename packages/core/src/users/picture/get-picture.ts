import { holds } from "@kb/auth";
import { sql } from "@kb/db";
import { z } from "zod";
import { notFound } from "../../errors.ts";
import { query } from "../../operation.ts";
import { Id } from "../../schema/text.ts";
import { PictureFile, type ReceivedPicture } from "./require-picture.ts";

/** Returns the picture of a user, for everybody who sees their name in `users.directory`; and to each their own. */
export const getPicture = query({
  name: "users.picture",
  summary: "Get the picture of a user",
  scope: "read",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ id: Id }),
  output: PictureFile,
  async run({ reader, actor }, { id }) {
    const maySee = id === actor.userId || holds(actor, "document.read");
    const [row] = maySee
      ? await reader.rows<ReceivedPicture>(sql`
          SELECT p."contentType", p.version, p.bytes FROM user_pictures p
          WHERE p."teamId" = ${actor.teamId}::uuid AND p."userId" = ${id}::uuid`)
      : [];
    // Nobody learns whether somebody without a picture exists.
    if (row === undefined) throw notFound("Picture");
    return row;
  },
});
