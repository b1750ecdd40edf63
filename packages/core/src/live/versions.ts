import { sql } from "@kb/db";

/** The number of the last batch in a document's log, and of the last one that its body contains. */
export type LiveVersions = readonly [version: number, savedVersion: number];

/** Selects the `LiveVersions` of `documents d`; null without a log. A document that nobody edits live costs no look-up. */
export const liveVersions = sql`CASE WHEN d."collaborativeId" IS NOT NULL THEN (SELECT ARRAY[l.version, l."savedVersion"]
  FROM live_documents l WHERE l."teamId" = d."teamId" AND l."documentId" = d.id) END`;

/** Whether the log of a document has batches that its body does not contain. */
export function isUnsaved({ live }: { readonly live?: LiveVersions | null }): boolean {
  return live != null && live[0] > live[1];
}
