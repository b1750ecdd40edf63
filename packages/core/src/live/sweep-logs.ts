import { type Database, sql, takeMomentIf } from "@kb/db";
import type { Service } from "../context.ts";
import { bytesOfBatch } from "./live-log.ts";
import { mostRebasedBytes } from "./log-head.ts";
import type { DocumentKey } from "./unsaved-document.ts";

/** The log reaches back this far; a document without a batch for as long loses its log. */
const logTtlMs = 48 * 60 * 60 * 1000;
/** At most this many batches of one document are kept, and at most as many bytes as a batch can be rebased onto. */
const maxBatches = 20_000;
const maxBytes = mostRebasedBytes;
/** Documents of one transaction. */
const batchSize = 100;

/** Ends the logs that nobody uses any more, and removes old batches that the bodies contain. Returns the number of both. */
export async function sweepLogs({ database, clock }: Pick<Service, "database" | "clock">): Promise<number> {
  const before = new Date(clock.now().getTime() - logTtlMs);
  return (await endIdleLogs(database, before)) + (await trimLogs(database, before));
}

async function endIdleLogs(database: Database, before: Date): Promise<number> {
  let total = 0;
  for (;;) {
    const idle =
      await database.acrossTeams.rows<DocumentKey>(sql`SELECT l."teamId", l."documentId" FROM live_documents l
      WHERE l."lastBatchAt" < ${before} AND l."unsavedSince" IS NULL ORDER BY l."lastBatchAt" LIMIT ${batchSize}`);
    let ended = 0;
    for (const [teamId, keys] of Map.groupBy(idle, (key) => key.teamId)) {
      ended += await endLogs(
        database,
        teamId,
        keys.map((key) => key.documentId),
        before,
      );
    }
    total += ended;
    if (ended < batchSize) return total;
  }
}

/** Passes over documents that somebody changes. Reads the logs after the documents are locked, as every writer does. */
function endLogs(database: Database, teamId: string, ids: readonly string[], before: Date): Promise<number> {
  return database.transaction(async (tx) => {
    const locked = await tx.rows<{ id: string }>(sql`SELECT d.id FROM documents d
      WHERE d."teamId" = ${teamId}::uuid AND d.id = ANY(${ids}::uuid[]) ORDER BY d.id FOR UPDATE SKIP LOCKED`);
    const ended = await tx.rows<{ documentId: string }>(sql`DELETE FROM live_documents l
      WHERE l."teamId" = ${teamId}::uuid AND l."documentId" = ANY(${locked.map(({ id }) => id)}::uuid[])
        AND l."lastBatchAt" < ${before} AND l."unsavedSince" IS NULL RETURNING l."documentId"`);
    await tx.execute(sql`WITH unnamed AS (UPDATE documents SET "collaborativeId" = NULL
        WHERE "teamId" = ${teamId}::uuid AND id = ANY(${ended.map(({ documentId }) => documentId)}::uuid[]) RETURNING 1)
      ${takeMomentIf(sql`unnamed`, teamId)}`);
    return ended.length;
  });
}

/** Removes the batches of each log up to one that is saved, and old or too far back; the head says from where on the log is whole. */
function trimLogs(database: Database, before: Date): Promise<number> {
  return database.acrossTeams.execute(sql`WITH trimmed AS (
      UPDATE live_documents l SET "oldestVersion" = n.version FROM (
        SELECT o."teamId", o."documentId", (SELECT max(k.version) FROM (
            SELECT b.version, b.at, sum(${bytesOfBatch}) OVER (ORDER BY b.version DESC) AS bytes FROM live_batches b
            WHERE b."teamId" = o."teamId" AND b."documentId" = o."documentId") k
          WHERE k.version <= o."savedVersion"
            AND (k.at < ${before} OR k.version <= o.version - ${maxBatches} OR k.bytes > ${maxBytes})) AS version
        FROM live_documents o) n
      WHERE l."teamId" = n."teamId" AND l."documentId" = n."documentId" AND n.version > l."oldestVersion"
      RETURNING l."teamId", l."documentId", l."oldestVersion"
    )
    DELETE FROM live_batches b USING trimmed t
    WHERE b."teamId" = t."teamId" AND b."documentId" = t."documentId" AND b.version <= t."oldestVersion"`);
}
