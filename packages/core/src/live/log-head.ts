import { type Reader, raw, type Sql, sql } from "@kb/db";
import { ServiceError } from "../errors.ts";
import { maxOnEventLoop } from "../threads/max-on-event-loop.ts";
import { bytesOfBatch } from "./live-log.ts";
import type { DocumentKey } from "./unsaved-document.ts";

/** The head of a document's log. */
export type LogHead = {
  readonly lineage: string;
  readonly version: number;
  readonly savedVersion: number;
  readonly oldestVersion: number;
};

/** The head of a log, its batches that the body does not contain, and whether it takes no batch now. */
export type LogProgress = LogHead & {
  /** The time of the first of them. */
  readonly unsavedSince: Date | null;
  readonly unsavedBytes: number;
  readonly isClaimed: boolean;
};

/** With more unsaved bytes of steps than this, a document is saved before it takes another batch. */
export const mostUnsavedBytes = 8_000_000;
/** A batch is rebased onto at most this many bytes of steps. */
export const mostRebasedBytes = 16_000_000;

/** The last batch of a client, and its answer. */
export type ClientProgress = {
  readonly userId: string;
  readonly seq: number;
  /** SHA-256 of its steps; null if an earlier release accepted it. */
  readonly hash: Uint8Array | null;
  readonly version: number;
  readonly isChanged: boolean;
  readonly orphans: readonly string[];
};

/** A document's saved content, its batches after that, and those after the base of a late batch, as JSON text. */
export type LogPart = {
  readonly content: string;
  readonly batches: readonly string[];
  readonly since: readonly string[];
};

/** Returns the statement that reads the progress of a client. */
export const progressOf = ({ teamId, documentId }: DocumentKey, clientId: string): Sql => sql`
  SELECT c."userId", c.seq, c.hash, c.version, c."isChanged", c.orphans FROM live_clients c
  WHERE c."teamId" = ${teamId}::uuid AND c."documentId" = ${documentId}::uuid AND c."clientId" = ${clientId}::uuid`;

/** Returns the statement that reads the head of a log. */
export const headOf = ({ teamId, documentId }: DocumentKey): Sql => sql`
  SELECT l.lineage, l.version, l."savedVersion", l."oldestVersion", l."unsavedSince",
    COALESCE(l."claimedUntil" > now(), false) AS "isClaimed",
    (SELECT COALESCE(sum(${bytesOfBatch}), 0)::float8 FROM live_batches b WHERE b."teamId" = l."teamId"
      AND b."documentId" = l."documentId" AND b.version > l."savedVersion") AS "unsavedBytes"
  FROM live_documents l WHERE l."teamId" = ${teamId}::uuid AND l."documentId" = ${documentId}::uuid`;

/** Batches that are read to bring a kept document up to date. */
const mostNewer = 200;

/** Returns the statement that reads the batches from a version on; too many for the event loop are not read, or without their steps. */
export const batchesFrom = ({ teamId, documentId }: DocumentKey, version: number): Sql => sql`
  SELECT p.version, p."clientId", p.seq, p.at, CASE WHEN p.total <= ${mostOnLoop} THEN p.steps::text END AS steps FROM (
    SELECT b.*, sum(${bytesOfBatch}) OVER (ORDER BY b.version) AS total FROM live_batches b
    WHERE b."teamId" = ${teamId}::uuid AND b."documentId" = ${documentId}::uuid AND b.version >= ${version}
    ORDER BY b.version LIMIT ${mostNewer}) p
  ORDER BY p.version`;

/** A part of a log with the head that it fits, and the bytes of its batches; `part` is null where it was not read. */
type SizedPart = {
  readonly head: LogHead;
  readonly unsavedBytes: number;
  readonly sinceBytes: number;
  readonly part: LogPart | null;
};

/**
 * Reads what a batch with this base has to be rebased onto. `small` reads no part that is too large for the event loop, `whole`
 * none beyond `mostRebasedBytes`: a log beyond `mostUnsavedBytes` that cannot be saved still takes deletions.
 */
export async function readLogPart(
  reader: Reader,
  { teamId, documentId }: DocumentKey,
  base: number,
  size: "whole" | "small",
): Promise<SizedPart | undefined> {
  const key = sql`b."teamId" = ${teamId}::uuid AND b."documentId" = ${documentId}::uuid`;
  const stepsAfter = (version: ReturnType<typeof sql>) =>
    sql`ARRAY(SELECT b.steps::text FROM live_batches b WHERE ${key} AND b.version > ${version} ORDER BY b.version)`;
  const bytesAfter = (version: ReturnType<typeof sql>) =>
    sql`(SELECT COALESCE(sum(${bytesOfBatch}), 0)::float8 FROM live_batches b WHERE ${key} AND b.version > ${version})`;
  const wanted =
    size === "whole"
      ? sql`GREATEST(s."unsavedBytes", s."sinceBytes") <= ${mostRebasedBytes}`
      : sql`octet_length(d.markdown) + GREATEST(s."unsavedBytes", s."sinceBytes") <= ${mostOnLoop}`;
  const [row] = await reader.rows<
    SizedPart["head"] & Omit<SizedPart, "head" | "part"> & LogPart & { content: string | null }
  >(sql`
    SELECT h.*, CASE WHEN h.wanted THEN d.content::text END AS content,
      CASE WHEN h.wanted THEN ${stepsAfter(sql`h."savedVersion"`)} END AS batches,
      CASE WHEN h.wanted THEN ${stepsAfter(sql`${base}`)} END AS since
    FROM document_bodies d CROSS JOIN LATERAL (SELECT s.*, ${wanted} AS wanted FROM (
      SELECT l.lineage, l.version, l."savedVersion", l."oldestVersion", ${bytesAfter(sql`l."savedVersion"`)} AS "unsavedBytes",
        ${bytesAfter(sql`${base}`)} AS "sinceBytes" FROM live_documents l
      WHERE l."teamId" = ${teamId}::uuid AND l."documentId" = ${documentId}::uuid) s) h
    WHERE d."teamId" = ${teamId}::uuid AND d."documentId" = ${documentId}::uuid`);
  if (row === undefined) return undefined;
  const { lineage, version, savedVersion, oldestVersion, unsavedBytes, sinceBytes, content, batches, since } = row;
  const head = { lineage, version, savedVersion, oldestVersion };
  return { head, unsavedBytes, sinceBytes, part: content === null ? null : { content, batches, since } };
}

const mostOnLoop = raw(String(maxOnEventLoop));

/**
 * Requires that a position of a client belongs to a log and is still in it.
 * @throws {ServiceError} `lineage_changed`, `too_old`, `validation_error`
 */
export function requirePosition<Head extends LogHead>(head: Head | undefined, lineage: string, version: number): Head {
  if (head === undefined || head.lineage !== lineage || version > head.version) {
    throw new ServiceError("lineage_changed", "The document has another log now. Open it again.");
  }
  if (version < head.oldestVersion) {
    throw tooOld();
  }
  return head;
}

/** Returns the error for a position from which the log cannot be followed any more. */
export function tooOld(): ServiceError {
  return new ServiceError("too_old", "The log does not reach back to this version. Open the document again.");
}
