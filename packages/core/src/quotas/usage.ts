import { type Sql, sql } from "@kb/db";
import type { Service } from "../context.ts";
import type { StorageBytes } from "./quotas.ts";

/** The id under which the usage of a whole team is stored, beside those of its users. */
export const wholeTeam = "00000000-0000-0000-0000-000000000000";

/** The usage `u` as numbers of bytes. */
export const usageColumns: Sql = sql`u."documentBytes"::float8 AS documents, u."revisionBytes"::float8 AS revisions,
  u."attachmentBytes"::float8 AS attachments`;

/** The stored bytes of a team. */
export type TeamUsage = StorageBytes & {
  readonly teamId: string;
  readonly team: string;
  /** Of each kind, the bytes of the user who has most. */
  readonly mostOfUser: StorageBytes;
};

/** Returns the stored bytes of each team, the oldest team first. */
export function readTeamUsages({ database }: Pick<Service, "database">): Promise<TeamUsage[]> {
  return database.acrossTeams.rows<TeamUsage>(sql`
    SELECT t.id AS "teamId", t.name AS team, COALESCE(u.documents, 0) AS documents, COALESCE(u.revisions, 0) AS revisions,
      COALESCE(u.attachments, 0) AS attachments,
      (SELECT jsonb_build_object('documents', COALESCE(max(m.documents), 0), 'revisions', COALESCE(max(m.revisions), 0),
          'attachments', COALESCE(max(m.attachments), 0))
        FROM (SELECT ${usageColumns} FROM storage_usage u
          WHERE u."teamId" = t.id AND u."userId" <> ${wholeTeam}::uuid) m) AS "mostOfUser"
    FROM teams t LEFT JOIN LATERAL (SELECT ${usageColumns} FROM storage_usage u
      WHERE u."teamId" = t.id AND u."userId" = ${wholeTeam}::uuid) u ON true
    ORDER BY t."createdAt", t.id`);
}

/** Returns the stored bytes of all teams together. */
export async function readTotalUsage({ database }: Pick<Service, "database">): Promise<StorageBytes> {
  const [total] = await database.acrossTeams.rows<StorageBytes>(sql`
    SELECT COALESCE(sum(u.documents), 0) AS documents, COALESCE(sum(u.revisions), 0) AS revisions,
      COALESCE(sum(u.attachments), 0) AS attachments
    FROM (SELECT ${usageColumns} FROM storage_usage u WHERE u."userId" = ${wholeTeam}::uuid) u`);
  return total ?? { documents: 0, revisions: 0, attachments: 0 };
}
