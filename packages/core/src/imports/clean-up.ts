import { isBackupRunning, sql } from "@kb/db";
import { requireFiles } from "../attachments/files.ts";
import type { Service } from "../context.ts";
import { storagePrefixOf } from "./receive.ts";

/** The time after the end of an import for which its file is kept, so that it can be continued. */
const fileTtlMs = 24 * 60 * 60 * 1000;
/** The time for which an import is listed. */
const importTtlMs = 30 * 24 * 60 * 60 * 1000;
const batchSize = 100;

type Row = { teamId: string; id: string };

/** Removes the files that no import needs any more, and imports after 30 days. Returns the number of removed imports. */
export async function cleanUpImports(service: Service): Promise<number> {
  const { database, clock } = service;
  const now = clock.now().getTime();
  const fileEnd = new Date(now - fileTtlMs);
  const end = new Date(now - importTtlMs);
  let removed = 0;
  for (;;) {
    const rows = await database.acrossTeams.rows<Row>(sql`SELECT i."teamId", i.id FROM imports i
      WHERE (i."storageKey" IS NOT NULL AND i.status IN ('done', 'failed', 'stopped') AND i."finishedAt" < ${fileEnd})
        OR (i.status IN ('done', 'failed', 'stopped') AND i."finishedAt" < ${end})
        OR (i.status = 'waiting' AND i."uploadExpiresAt" < ${fileEnd})
      ORDER BY i."createdAt" LIMIT ${batchSize}`);
    for (const row of rows) {
      if (await isBackupRunning(database.acrossTeams)) return removed;
      await dropImportFile(service, row);
      removed += await database.execute(sql`DELETE FROM imports i WHERE i."teamId" = ${row.teamId}::uuid
        AND i.id = ${row.id}::uuid AND (i."finishedAt" < ${end} OR i.status = 'waiting')`);
    }
    if (rows.length < batchSize) return removed;
  }
}

/** Removes the file of an import. */
export async function dropImportFile(service: Service, { teamId, id }: Row): Promise<void> {
  await requireFiles(service).store.removeBelow(storagePrefixOf({ teamId, id }));
  await service.database.execute(
    sql`UPDATE imports i SET "storageKey" = NULL WHERE i."teamId" = ${teamId}::uuid AND i.id = ${id}::uuid`,
  );
}
