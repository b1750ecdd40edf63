import { type Database, sql, type Tx } from "@kb/db";
import { measureAll } from "./measure-documents.ts";
import { wholeTeam } from "./usage.ts";

/**
 * Measures every document again and counts the usage of each team anew, while the service runs: after rows were written past
 * the service. Returns the number of documents whose size was wrong.
 */
export async function recountStorage({ database }: { readonly database: Database }): Promise<number> {
  const corrected = await measureAll(database, sql`true`);
  const teams = await database.acrossTeams.rows<{ id: string }>(sql`SELECT id FROM teams ORDER BY id`);
  for (const { id } of teams) await database.transaction((tx) => recountTeam(tx, id));
  return corrected;
}

/** Counts under the team's clock, which every change of the usage holds. */
async function recountTeam(tx: Tx, teamId: string): Promise<void> {
  await tx.rows(sql`SELECT 1 FROM team_clocks c WHERE c."teamId" = ${teamId}::uuid FOR UPDATE`);
  await tx.execute(sql`DELETE FROM storage_usage u WHERE u."teamId" = ${teamId}::uuid`);
  await tx.execute(sql`INSERT INTO storage_usage ("teamId", "userId", "documentBytes", "revisionBytes", "attachmentBytes")
    WITH parts AS (
      SELECT d."createdById" AS owner, sum(d.bytes) AS documents, sum(d."revisionBytes") AS revisions, 0 AS attachments
        FROM documents d WHERE d."teamId" = ${teamId}::uuid GROUP BY 1
      UNION ALL SELECT a."createdById", 0, 0, sum(a.size) FROM attachments a WHERE a."teamId" = ${teamId}::uuid GROUP BY 1
      UNION ALL SELECT p."userId", 0, 0, p.size FROM user_pictures p WHERE p."teamId" = ${teamId}::uuid
    )
    SELECT ${teamId}::uuid, COALESCE(owner, ${wholeTeam}::uuid), COALESCE(sum(documents), 0), COALESCE(sum(revisions), 0),
      COALESCE(sum(attachments), 0)
    FROM (SELECT * FROM parts WHERE owner IS NOT NULL
      UNION ALL SELECT NULL, documents, revisions, attachments FROM parts) p GROUP BY owner`);
}
