import { type Reader, raw, type Sql, sql, type Tx } from "@kb/db";
import type { Labels } from "../documents/body.ts";
import type { EditRun } from "../documents/edit-run.ts";
import { labelColumns } from "../documents/stored-body.ts";
import type { VisibilityFacts } from "../documents/tombstones.ts";
import { maxOnEventLoop } from "../threads/max-on-event-loop.ts";
import { bytesOfBatch } from "./live-log.ts";

/** The key of a document. */
export type DocumentKey = { readonly teamId: string; readonly documentId: string };

/** A document whose log has batches that its body does not contain. */
export type UnsavedDocument = VisibilityFacts &
  Labels &
  EditRun & {
    readonly teamId: string;
    readonly revision: number;
    readonly updatedAt: Date;
    readonly isTrashed: boolean;
    readonly contributors: readonly string[];
    readonly lineage: string;
    readonly version: number;
    readonly savedVersion: number;
    /** The authors of the batches after `savedVersion`, in order. */
    readonly authors: readonly string[];
    /** The saved body and the steps of each of these batches, as JSON text; null where the document is large and was not asked for. */
    readonly content: string | null;
    readonly markdown: string | null;
    readonly steps: readonly string[] | null;
  };

/**
 * Reads a document with unsaved batches, whole or only where it is small enough for the event loop. Undefined where there are none.
 * A batch beyond `mostUnsavedBytes` is not accepted before a checkpoint, so that this bounds what is read.
 */
export async function readUnsaved(
  reader: Reader,
  key: DocumentKey,
  part: "whole" | "small",
): Promise<UnsavedDocument | undefined> {
  const [row] = await reader.rows<UnsavedDocument>(unsavedDocument(key, part));
  return row;
}

/** Locks a document and then reads it as `readUnsaved`, in one round trip. */
export async function lockUnsaved(tx: Tx, key: DocumentKey): Promise<UnsavedDocument | undefined> {
  const locking = sql`SELECT 1 AS locked FROM documents d
    WHERE d."teamId" = ${key.teamId}::uuid AND d.id = ${key.documentId}::uuid FOR UPDATE`;
  const [, [row]] = await tx.rowsOfEach<[{ locked: number }, UnsavedDocument]>([
    locking,
    unsavedDocument(key, "small"),
  ]);
  return row;
}

const mostOnLoop = raw(String(maxOnEventLoop));

function unsavedDocument({ teamId, documentId }: DocumentKey, part: "whole" | "small"): Sql {
  const wanted = part === "whole" ? sql`true` : sql`octet_length(b.markdown) + n.characters <= ${mostOnLoop}`;
  return sql`SELECT d.id, d."teamId", d."collectionId", d."publishedAt", d."createdById", d.revision, d."updatedAt", d."deletedAt" IS NOT NULL AS "isTrashed", ${labelColumns},
      d."editorId", d."editorKind", d."runStartedAt", COALESCE(d.contributors, '{}') AS contributors,
      l.lineage, l.version, l."savedVersion", n.authors,
      CASE WHEN ${wanted} THEN b.content::text END AS content, CASE WHEN ${wanted} THEN b.markdown END AS markdown,
      CASE WHEN ${wanted} THEN ARRAY(SELECT s.steps::text FROM live_batches s WHERE s."teamId" = ${teamId}::uuid
        AND s."documentId" = ${documentId}::uuid AND s.version > l."savedVersion" ORDER BY s.version) END AS steps
    FROM live_documents l
    JOIN documents d ON d."teamId" = l."teamId" AND d.id = l."documentId"
    JOIN document_bodies b ON b."teamId" = l."teamId" AND b."documentId" = l."documentId"
    CROSS JOIN LATERAL (SELECT array_agg(b."authorId" ORDER BY b.version) AS authors, sum(${bytesOfBatch}) AS characters
      FROM live_batches b WHERE b."teamId" = ${teamId}::uuid AND b."documentId" = ${documentId}::uuid
        AND b.version > l."savedVersion") n
    WHERE l."teamId" = ${teamId}::uuid AND l."documentId" = ${documentId}::uuid AND l.version > l."savedVersion"`;
}
