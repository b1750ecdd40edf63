import { type Database, type Sql, sql, type Tx } from "@kb/db";

const batchSize = 100;

type Place = { readonly teamId: string; readonly id: string };
const beginning: Place = {
  teamId: "00000000-0000-0000-0000-000000000000",
  id: "00000000-0000-0000-0000-000000000000",
};

/** The sizes of a document `d`, as its body and its earlier revisions are stored. */
export const bytesOfDocument: Sql = sql`(SELECT octet_length(b.markdown) FROM document_bodies b
  WHERE b."teamId" = d."teamId" AND b."documentId" = d.id)`;
export const bytesOfRevisions: Sql = sql`(SELECT COALESCE(sum(octet_length(r.markdown)), 0) FROM revision_bodies r
  WHERE r."teamId" = d."teamId" AND r."documentId" = d.id)`;

/**
 * Measures the documents that an earlier release wrote, which do not count for the quotas until then. Several processes may
 * run it at once; it passes over documents that somebody else changes. Returns their number.
 */
export function measureDocuments({ database }: { readonly database: Database }): Promise<number> {
  return measureAll(database, sql`d.bytes IS NULL`);
}

/** Measures all documents that the condition selects, in small transactions: each holds its locks only briefly. */
export async function measureAll(database: Database, condition: Sql): Promise<number> {
  let measured = 0;
  let last = beginning;
  for (;;) {
    const places = await database.acrossTeams.rows<Place>(sql`SELECT d."teamId", d.id FROM documents d
      WHERE ${condition} AND (d."teamId", d.id) > (${last.teamId}::uuid, ${last.id}::uuid)
      ORDER BY d."teamId", d.id LIMIT ${batchSize}`);
    for (const [teamId, team] of Map.groupBy(places, (place) => place.teamId)) {
      const ids = team.map((place) => place.id);
      measured += await database.transaction((tx) => measureBatch(tx, teamId, ids));
    }
    const end = places.at(-1);
    if (end === undefined) return measured;
    last = end;
  }
}

/** Locks the documents first: the statement that measures them then sees their bodies as the last writer left them. */
async function measureBatch(tx: Tx, teamId: string, ids: readonly string[]): Promise<number> {
  const locked = await tx.rows<{ id: string }>(sql`SELECT d.id FROM documents d
    WHERE d."teamId" = ${teamId}::uuid AND d.id = ANY(${ids}::uuid[]) ORDER BY d.id FOR UPDATE SKIP LOCKED`);
  return tx.execute(sql`UPDATE documents d SET bytes = n.bytes, "revisionBytes" = n.revisions
    FROM (SELECT d.id, COALESCE(${bytesOfDocument}, 0) AS bytes, ${bytesOfRevisions}::bigint AS revisions FROM documents d
      WHERE d."teamId" = ${teamId}::uuid AND d.id = ANY(${locked.map(({ id }) => id)}::uuid[])) n
    WHERE d."teamId" = ${teamId}::uuid AND d.id = n.id
      AND (d.bytes, d."revisionBytes") IS DISTINCT FROM (n.bytes, n.revisions)`);
}
