import { isBackupRunning, sql, stampChange } from "@kb/db";
import { type Emitter, emit } from "../events.ts";
import type { Service } from "../operation.ts";
import { type Files, requireFiles } from "./files.ts";

/** An address lives for an hour; what never got its bytes is forgotten after a day. */
const pendingForMs = 24 * 60 * 60 * 1000;
/** What belongs to no document has so long to be mentioned in one. */
const unmentionedForMs = 7 * 24 * 60 * 60 * 1000;
const batchSize = 100;
const bodiesAtOnce = 500;

type Row = { teamId: string; id: string; publicId: string; name: string };
const columns = sql`a."teamId", a.id, a."publicId", a.name`;

/** How many attachments went, and how many turned out to be in use. */
export type CleanUp = { expired: number; removed: number; adopted: number };

/**
 * Removes what was registered and never sent, and what no document has had, or mentioned, for a week. An attachment that
 * a body or a kept revision mentions becomes that document's, so it is looked for once. In batches; any number of
 * processes may do it at once. It stops while a backup is made, which has bytes still to read: the next round goes on.
 */
export async function cleanUpAttachments(service: Service): Promise<CleanUp> {
  const files = requireFiles(service);
  const done = { expired: 0, removed: 0, adopted: 0 };
  for (let rows = await expired(service); rows.length > 0; rows = await expired(service)) {
    for (const row of rows) {
      if (await isBackupRunning(service.database.acrossTeams)) return done;
      await files.store.removeBelow(placeOf(row));
      done.expired += await forget(service, row, "pending");
    }
  }
  for (let rows = await unowned(service); rows.length > 0; rows = await unowned(service)) {
    for (const team of Map.groupBy(rows, (row) => row.teamId).values()) {
      if (!(await settle(service, files, team, done))) return done;
    }
  }
  return done;
}

const placeOf = ({ teamId, publicId }: Row): string => `${teamId}/${publicId}`;

function expired({ database, clock }: Service): Promise<Row[]> {
  const before = new Date(clock.now().getTime() - pendingForMs);
  return database.acrossTeams.rows<Row>(sql`SELECT ${columns} FROM attachments a
    WHERE a.status = 'pending' AND a."createdAt" < ${before} ORDER BY a."createdAt" LIMIT ${batchSize}`);
}

function unowned({ database, clock }: Service): Promise<Row[]> {
  const before = new Date(clock.now().getTime() - unmentionedForMs);
  return database.acrossTeams.rows<Row>(sql`SELECT ${columns} FROM attachments a
    WHERE a.status = 'ready' AND a."documentId" IS NULL AND a."createdAt" < ${before}
    ORDER BY a."createdAt" LIMIT ${batchSize}`);
}

/** Of one team: gives those that are in use their document, and removes the others. False: a backup came between. */
async function settle(service: Service, files: Files, rows: readonly Row[], done: CleanUp): Promise<boolean> {
  const mentions = await mentionsOf(service, rows);
  for (const row of rows) {
    const documentId = mentions.get(row.publicId);
    if (documentId !== undefined) {
      done.adopted += await adopt(service, row, documentId);
      continue;
    }
    if (await isBackupRunning(service.database.acrossTeams)) return false;
    await files.store.removeBelow(placeOf(row));
    done.removed += await forget(service, row, "ready");
  }
  return true;
}

/** The document that mentions each; of the bodies that mention any, a few hundred at a time. */
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

function adopt({ database }: Service, { teamId, id }: Row, documentId: string): Promise<number> {
  return database.execute(sql`UPDATE attachments a SET "documentId" = ${documentId}::uuid
    WHERE a."teamId" = ${teamId}::uuid AND a.id = ${id}::uuid AND a."documentId" IS NULL
      AND EXISTS (SELECT 1 FROM documents d WHERE d."teamId" = a."teamId" AND d.id = ${documentId}::uuid)`);
}

function forget({ database, clock }: Service, row: Row, status: "pending" | "ready"): Promise<number> {
  const { teamId, id, name } = row;
  return database.transaction(async (tx) => {
    const gone =
      await tx.execute(sql`DELETE FROM attachments a WHERE a."teamId" = ${teamId}::uuid AND a.id = ${id}::uuid
      AND a.status = ${status} AND (a.status = 'pending' OR a."documentId" IS NULL)`);
    if (gone > 0 && status === "ready") {
      const stamp = await stampChange(tx, teamId, clock.now());
      const data = { id, title: name, documentId: null, collectionId: null };
      await emit(tx, { ...janitor, teamId }, stamp, [{ type: "attachment.deleted", data }]);
    }
    return gone;
  });
}

/** In whose name it happens. */
const janitor: Omit<Emitter, "teamId"> = {
  userId: "",
  userName: "",
  credential: { kind: "system", id: "clean-up", name: "Clean-up" },
};
