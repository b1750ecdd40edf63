import type { Actor } from "@kb/auth";
import { type Reader, sql } from "@kb/db";
import type { WriteContext } from "../context.ts";
import { ServiceError } from "../errors.ts";
import type { LiveVersions } from "./versions.ts";

/** Somebody whose last batch is at most this old is typing. */
const typingMs = 30_000;
/** Batches that are looked at, from the newest on, and names that are shown. */
const maxBatches = 500;
const maxNames = 10;

type Edited = { readonly id: string; readonly teamId: string; readonly live?: LiveVersions | null };
type Asking = { readonly actor: Actor; readonly reader: Reader; readonly now: Date };

/** Returns the names of the other people who typed in a document just now: 1 statement, or none without a log. */
export async function namesOfTyping({ actor, reader, now }: Asking, { id, teamId, live }: Edited): Promise<string[]> {
  if (live == null) return [];
  const since = new Date(now.getTime() - typingMs);
  const rows = await reader.rows<{ name: string }>(sql`SELECT DISTINCT u.name FROM (
      SELECT b."teamId", b."authorId", b.at, b.kind FROM live_batches b
      WHERE b."teamId" = ${teamId}::uuid AND b."documentId" = ${id}::uuid ORDER BY b.version DESC LIMIT ${maxBatches}) b
    JOIN users u ON u."teamId" = b."teamId" AND u.id = b."authorId"
    WHERE b.kind = 'session' AND b.at > ${since} AND b."authorId" <> ${actor.userId}::uuid ORDER BY u.name LIMIT ${maxNames}`);
  return rows.map(({ name }) => name);
}

/**
 * Refuses an assistant's change of a whole body while others type, because the new body lacks what they are writing.
 * @throws {ServiceError} `editing_now`, with their names
 */
export async function requireNobodyTyping({ actor, tx, now }: WriteContext, document: Edited): Promise<void> {
  const names = await namesOfTyping({ actor, reader: tx, now }, document);
  if (names.length === 0) return;
  const message = `${names.join(", ")} ${names.length === 1 ? "is" : "are"} typing in this document.`;
  throw new ServiceError("editing_now", message, { details: [{ path: "markdown", message, editingNow: names }] });
}
