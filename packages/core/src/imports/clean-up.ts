import { isBackupRunning, type Sql, sql } from "@kb/db";
import { requireFiles } from "../attachments/files.ts";
import type { Service } from "../context.ts";
import { fileTtlMs, hasEnded } from "./import-row.ts";
import { storagePrefixOf } from "./receive.ts";

/** The time for which an import is listed. */
const importTtlMs = 30 * 24 * 60 * 60 * 1000;
const batchSize = 100;
/** Stands for the end of a file that is being removed: no clock is before it. */
const removed = new Date(0);

type Row = { teamId: string; id: string };

const ofImport = ({ teamId, id }: Row): Sql => sql`i."teamId" = ${teamId}::uuid AND i.id = ${id}::uuid`;

/** Removes the files that no import needs any more, and imports after 30 days. Returns the number of removed imports. */
export async function cleanUpImports(service: Service): Promise<number> {
  const { database, clock } = service;
  const now = clock.now();
  const end = new Date(now.getTime() - importTtlMs);
  const waitingEnd = new Date(now.getTime() - fileTtlMs);
  let count = 0;
  for (;;) {
    const rows = await database.acrossTeams.rows<Row>(sql`SELECT i."teamId", i.id FROM imports i
      WHERE (i."storageKey" IS NOT NULL AND ${hasEnded} AND i."fileEndsAt" <= ${now})
        OR (i."storageKey" IS NOT NULL AND ${hasEnded} AND i."fileEndsAt" IS NULL AND i."finishedAt" < ${waitingEnd})
        OR (${hasEnded} AND i."finishedAt" < ${end})
        OR (i.status = 'waiting' AND i."uploadExpiresAt" < ${waitingEnd})
      ORDER BY i."createdAt" LIMIT ${batchSize}`);
    for (const row of rows) {
      if (await isBackupRunning(database.acrossTeams)) return count;
      await dropImportFile(service, row);
      count += await database.execute(
        sql`DELETE FROM imports i WHERE ${ofImport(row)} AND (i."finishedAt" < ${end} OR i.status = 'waiting')`,
      );
    }
    if (rows.length < batchSize) return count;
  }
}

/**
 * Removes the file of an import that has ended or waits for its file; returns false for one that somebody continued meanwhile. It
 * first takes the file from the import, in one statement, so that nobody continues an import whose file is being removed. After a crash
 * the next clean-up goes on with it.
 */
export async function dropImportFile(service: Service, row: Row): Promise<boolean> {
  const { database } = service;
  const taken = await database.execute(sql`UPDATE imports i SET "fileEndsAt" = ${removed}
    WHERE ${ofImport(row)} AND (${hasEnded} OR i.status = 'waiting')`);
  if (taken === 0) return false;
  await requireFiles(service).store.removeBelow(storagePrefixOf(row));
  await database.execute(sql`UPDATE imports i SET "storageKey" = NULL WHERE ${ofImport(row)} AND ${hasEnded}`);
  return true;
}
