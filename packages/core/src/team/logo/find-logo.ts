import { type Reader, sql } from "@kb/db";
import type { ReceivedPicture } from "../../users/picture/require-picture.ts";

/** Reads the logo of a team; undefined without one. */
export async function findLogo(reader: Pick<Reader, "rows">, teamId: string): Promise<ReceivedPicture | undefined> {
  const [row] = await reader.rows<ReceivedPicture>(sql`
    SELECT l."contentType", l.version, l.bytes FROM team_logos l WHERE l."teamId" = ${teamId}::uuid`);
  return row;
}
