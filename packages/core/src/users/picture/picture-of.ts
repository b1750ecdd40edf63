import { type Sql, sql } from "@kb/db";

/** The version of the picture of the user `u`; null without one. */
export const pictureOf: Sql = sql`(SELECT p.version FROM user_pictures p
  WHERE p."teamId" = u."teamId" AND p."userId" = u.id)`;
