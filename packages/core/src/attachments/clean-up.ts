import { isBackupRunning, sql, stampChange, takeMomentIf } from "@kb/db";
import type { Service } from "../context.ts";
import type { Emitter } from "../events.ts";
import { transactionWithOutbox } from "../outbox.ts";
import { type Files, requireFiles } from "./files.ts";

/** An upload address is valid for an hour; a registration without bytes is removed after a day. */
const pendingForMs = 24 * 60 * 60 * 1000;
/** A file without a document is removed unless a document mentions it within this time. */
const unmentionedForMs = 7 * 24 * 60 * 60 * 1000;
const batchSize = 100;
const bodiesAtOnce = 500;

type Row = { teamId: string; id: string; publicId: string; name: string };
const columns = sql`a."teamId", a.id, a."publicId", a.name`;

/** The number of attachments that were removed (expired or deleted, and unused), and of those that turned out to be in use. */
export type CleanUp = { expired: number; removed: number; adopted: number };

/**
 * Removes registrations whose bytes never came, files that somebody deleted, and files that no document has owned or mentioned for a week. A file
 * that a body or a stored revision mentions is assigned to that document, so that it is looked up only once. Works in
 * batches; several processes may run it at once. Stops while a backup is running, because the backup still has bytes to
 * read.
 */
export async function cleanUpAttachments(service: Service): Promise<CleanUp> {
  const files = requireFiles(service);
  const done = { expired: 0, removed: 0, adopted: 0 };
  for (let rows = await expired(service); rows.length > 0; rows = await expired(service)) {
    for (const row of rows) {
      if (await isBackupRunning(service.database.acrossTeams)) return done;
      await files.store.removeBelow(storagePrefix(row));
      done.expired += await removeRow(service, row, "expired");
    }
  }
  for (let rows = await unowned(service); rows.length > 0; rows = await unowned(service)) {
    for (const team of Map.groupBy(rows, (row) => row.teamId).values()) {
      if (!(await settleTeam(service, files, team, done))) return done;
    }
  }
  return done;
}

const storagePrefix = ({ teamId, publicId }: Row): string => `${teamId}/${publicId}`;

function expired({ database, clock }: Service): Promise<Row[]> {
  const before = new Date(clock.now().getTime() - pendingForMs);
  return database.acrossTeams.rows<Row>(sql`SELECT ${columns} FROM attachments a
    WHERE a.status = 'deleted' OR (a.status = 'pending' AND a."createdAt" < ${before}) ORDER BY a."createdAt" LIMIT ${batchSize}`);
}

function unowned({ database, clock }: Service): Promise<Row[]> {
  const before = new Date(clock.now().getTime() - unmentionedForMs);
  return database.acrossTeams.rows<Row>(sql`SELECT ${columns} FROM attachments a
    WHERE a.status = 'ready' AND a."documentId" IS NULL AND a."createdAt" < ${before}
    ORDER BY a."createdAt" LIMIT ${batchSize}`);
}

/**
 * Assigns the files of one team that are in use to their documents and removes the others. Returns false when a backup
 * has started.
 */
async function settleTeam(service: Service, files: Files, rows: readonly Row[], done: CleanUp): Promise<boolean> {
  const mentions = await mentionsOf(service, rows);
  for (const row of rows) {
    const documentId = mentions.get(row.publicId);
    if (documentId !== undefined) {
      done.adopted += await assignDocument(service, row, documentId);
      continue;
    }
    if (await isBackupRunning(service.database.acrossTeams)) return false;
    await files.store.removeBelow(storagePrefix(row));
    done.removed += await removeRow(service, row, "ready");
  }
  return true;
}

/** Returns the document that mentions each file. Reads a few hundred bodies at a time. */
async function mentionsOf({ database }: Service, rows: readonly Row[]): Promise<Map<string, string>> {
  const teamId = rows[0]?.teamId ?? "";
  const wanted = new Set(rows.map((row) => row.publicId));
  const found = new Map<string, string>();
  for (const table of [sql`document_bodies`, sql`revision_bodies`]) {
    let after = "00000000-0000-0000-0000-000000000000";
    for (;;) {
      const documents = await database.rows<{ documentId: string; mentioned: string[] }>(sql`
        WITH page AS (SELECT DISTINCT p."documentId" FROM ${table} p WHERE p."teamId" = ${teamId}::uuid
          AND p.markdown LIKE '%/files/%' AND p."documentId" > ${after}::uuid ORDER BY p."documentId" LIMIT ${bodiesAtOnce})
        SELECT page."documentId", ARRAY(SELECT (regexp_matches(b.markdown, '/files/([A-Za-z0-9_-]{32})/', 'g'))[1]
          FROM ${table} b WHERE b."teamId" = ${teamId}::uuid AND b."documentId" = page."documentId"
            AND b.markdown LIKE '%/files/%') AS mentioned
        FROM page ORDER BY page."documentId"`);
      for (const { documentId, mentioned } of documents) {
        for (const publicId of mentioned) if (wanted.has(publicId)) found.set(publicId, documentId);
      }
      const last = documents.at(-1);
      if (last === undefined || documents.length < bodiesAtOnce) break;
      after = last.documentId;
    }
  }
  return found;
}

function assignDocument({ database }: Service, { teamId, id }: Row, documentId: string): Promise<number> {
  return database.execute(sql`WITH assigned AS (UPDATE attachments a SET "documentId" = ${documentId}::uuid
      WHERE a."teamId" = ${teamId}::uuid AND a.id = ${id}::uuid AND a."documentId" IS NULL
        AND EXISTS (SELECT 1 FROM documents d WHERE d."teamId" = a."teamId" AND d.id = ${documentId}::uuid) RETURNING 1)
    ${takeMomentIf(sql`assigned`, teamId)}`);
}

function removeRow({ database, clock }: Service, row: Row, kind: "expired" | "ready"): Promise<number> {
  const { teamId, id, name } = row;
  return transactionWithOutbox(database, { ...cleanUpEmitter, teamId }, async (tx, outbox) => {
    const gone =
      await tx.execute(sql`DELETE FROM attachments a WHERE a."teamId" = ${teamId}::uuid AND a.id = ${id}::uuid
      AND ${kind === "ready" ? sql`a.status = 'ready' AND a."documentId" IS NULL` : sql`a.status <> 'ready'`}`);
    if (gone > 0 && kind === "ready") {
      const stamp = await stampChange(tx, teamId, clock.now());
      const data = { id, title: name, documentId: null, collectionId: null };
      outbox.emit(stamp, [{ type: "attachment.deleted", data }]);
    }
    return gone;
  });
}

/** The emitter of the clean-up's events. */
const cleanUpEmitter: Omit<Emitter, "teamId"> = {
  userId: "",
  userName: "",
  credential: { kind: "system", id: "clean-up", name: "Clean-up" },
};
