import { type Actor, readableCollections } from "@kb/auth";
import { type Reader, type Sql, sql } from "@kb/db";
import { z } from "zod";
import { notFound } from "../errors.ts";
import { Timestamp, timestamp, timestampOrNull } from "../schema/text.ts";
import { Explanation } from "./explanation.ts";

/** The time after the end of an import for which its file is kept, so that it can be continued. */
export const fileTtlMs = 24 * 60 * 60 * 1000;

/** The number of times that an import can be continued: what stops it again and again is in its file. */
export const maxContinues = 10;

/** The states of an import. */
export const importStates = ["waiting", "queued", "running", "done", "failed", "stopped"] as const;

/** What an import was asked to do; stored with it. */
export const ImportOptions = z.object({
  dryRun: z.boolean(),
  update: z.boolean(),
  publish: z.boolean(),
  textTags: z.boolean(),
  /** The name of the collection that an import after the dry run is meant for. */
  newCollection: z.string().nullable(),
});

/** An import of the caller, with its progress. */
export const Import = z
  .object({
    id: z.uuid(),
    /** The name of the file. */
    name: z.string(),
    /** In bytes. */
    size: z.int(),
    status: z.enum(importStates),
    /** Null if it does not exist, or the caller may not read it any more. */
    collection: z.object({ id: z.uuid(), name: z.string() }).nullable(),
    ...ImportOptions.shape,
    /** Files that become documents, those that were read, and pages that were written. */
    files: z.int(),
    read: z.int(),
    written: z.int(),
    isStopping: z.boolean(),
    /** Whether `imports.continue` can run it again: its file is still there. */
    canContinue: z.boolean(),
    /** The message is in English; `explanation` is it for other languages. */
    failure: z.object({ code: z.string(), message: z.string(), explanation: Explanation }).nullable(),
    createdAt: Timestamp,
    startedAt: Timestamp.nullable(),
    finishedAt: Timestamp.nullable(),
  })
  .meta({ id: "Import" });

/** The figures of an import that has ended, and what it could not do. */
export const ImportResult = z
  .object({
    product: z.string(),
    files: z.int(),
    imported: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    existing: z.int(),
    folders: z.int(),
    linked: z.int(),
    attached: z.int(),
    /** Files that are neither pages nor linked, by extension. */
    others: z.record(z.string(), z.int()),
    unusedKeys: z.record(z.string(), z.int()),
    problems: z.array(
      z.object({
        kind: z.string(),
        path: z.string(),
        detail: z.string(),
        /** The detail for other languages, where it is a sentence. */
        explanation: Explanation,
        count: z.int(),
        /** The document of the file, if there is one. */
        documentId: z.uuid().nullable(),
      }),
    ),
    /** The number of further problems. */
    omitted: z.int(),
  })
  .meta({ id: "ImportResult" });

/** A row of `importColumns`. */
export type ImportRow = {
  id: string;
  name: string;
  size: bigint;
  status: (typeof importStates)[number];
  collectionId: string | null;
  collectionName: string | null;
  options: z.output<typeof ImportOptions>;
  files: number;
  read: number;
  written: number;
  isStopping: boolean;
  hasFile: boolean;
  fileEndsAt: Date | null;
  continues: number;
  failure: z.input<typeof Import>["failure"];
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
};

/** Selects `ImportRow` from `importsOf`. */
export const importColumns: Sql = sql`i.id, i.name, i.size, i.status, c.id AS "collectionId", c.name AS "collectionName",
  i.options, i.files, i.read, i.written, i."isStopping", i."storageKey" IS NOT NULL AS "hasFile", i."fileEndsAt", i.continues, i.failure,
  i."createdAt", i."startedAt", i."finishedAt"`;

/** The condition that the import `i` has ended. */
export const hasEnded: Sql = sql`i.status IN ('done', 'failed', 'stopped')`;

/** Returns the imports of a user, with the collections that the user may read. */
export const importsOf = (actor: Actor): Sql => sql`imports i
  LEFT JOIN collections c ON c."teamId" = i."teamId" AND c.id = i."collectionId" AND ${readableCollections(actor)}
  WHERE i."teamId" = ${actor.teamId}::uuid AND i."userId" = ${actor.userId}::uuid`;

/** Returns the import as the contract shows it at this time. */
export function presentImport(row: ImportRow, now: Date): z.input<typeof Import> {
  const { collectionId, collectionName, options, hasFile, fileEndsAt, continues, ...shown } = row;
  const isOver = row.status === "failed" || row.status === "stopped" || (row.status === "done" && options.dryRun);
  const isKept = hasFile && (fileEndsAt === null || fileEndsAt > now);
  return {
    ...shown,
    ...options,
    size: Number(row.size),
    collection: collectionId === null || collectionName === null ? null : { id: collectionId, name: collectionName },
    canContinue: isOver && isKept && continues < maxContinues,
    createdAt: timestamp(row.createdAt),
    startedAt: timestampOrNull(row.startedAt),
    finishedAt: timestampOrNull(row.finishedAt),
  };
}

/** Reads an import of the caller. Those of others do not exist. @throws {ServiceError} `not_found` */
export async function requireImport(reader: Reader, actor: Actor, id: string): Promise<ImportRow> {
  const [row] = await reader.rows<ImportRow>(
    sql`SELECT ${importColumns} FROM ${importsOf(actor)} AND i.id = ${id}::uuid`,
  );
  if (row === undefined) throw notFound("Import");
  return row;
}
