import { type Sql, sql } from "@kb/db";
import { z } from "zod";
import { bytesOfBatch } from "./live-log.ts";
import type { DocumentKey } from "./unsaved-document.ts";

/** A batch of the log, as clients receive it. */
export const LiveBatch = z
  .object({
    version: z.int(),
    clientId: z.uuid(),
    seq: z.int(),
    author: z.uuid().nullable(),
    kind: z.string(),
    steps: z.array(z.record(z.string(), z.unknown())),
    /** For each step, the index of the sent step that it came from; absent where each sent step was accepted. */
    origins: z.array(z.int()).optional(),
  })
  .meta({ id: "LiveBatch" });

export type BatchRow = Omit<z.output<typeof LiveBatch>, "origins"> & { readonly origins: number[] | null };

/** One page of batches holds at most this many, and at most this many bytes of steps unless it holds a single one. */
const pageSize = 500;
const pageBytes = 1_000_000;

/** Returns the statement that reads the first batches after a version, in order. */
export function batchesAfter({ teamId, documentId }: DocumentKey, version: number): Sql {
  return sql`SELECT p.version, p."clientId", p.seq, p."authorId" AS author, p.kind, p.steps, p.origins FROM (
      SELECT b.*, sum(${bytesOfBatch}) OVER (ORDER BY b.version) - ${bytesOfBatch} AS before
      FROM live_batches b WHERE b."teamId" = ${teamId}::uuid AND b."documentId" = ${documentId}::uuid
        AND b.version > ${version} ORDER BY b.version LIMIT ${pageSize}) p
    WHERE p.before < ${pageBytes} ORDER BY p.version`;
}

/** Returns a batch as clients receive it. */
export function presentBatch({ origins, ...batch }: BatchRow): z.input<typeof LiveBatch> {
  return origins === null || origins.length === 0 ? batch : { ...batch, origins };
}
