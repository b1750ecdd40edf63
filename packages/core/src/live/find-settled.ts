import type { Actor } from "@kb/auth";
import type { ReaderContext } from "../context.ts";
import type { BodyParts } from "../documents/body-parts.ts";
import { type DocumentWithFacts, findDocument } from "../documents/row.ts";
import { settleDocument } from "./checkpoint.ts";
import type { LiveVersions } from "./versions.ts";

/** The document as a reader found it. */
type Found = { readonly teamId: string; readonly id: string; readonly live?: LiveVersions | null };

/** A reader that others outrun with every checkpoint gives up after this many. */
const maxCheckpoints = 3;

/**
 * Reads a document by its id as `findDocument` does, with everything that was written live before: a reader who has just seen
 * "saved" finds the text here. Where all is saved it is a single statement.
 */
export function findSettled(
  context: ReaderContext,
  actor: Actor,
  id: string,
  parts: BodyParts = {},
): Promise<DocumentWithFacts | null> {
  return readSettled(context, () => findDocument(context.reader, actor, id, parts));
}

/**
 * Reads a document, and again after a checkpoint as long as it lacks a batch that the first read knew of. Where no checkpoint
 * can be written, for whatever reason, the document is returned as it is saved: the worker tries it too, and logs why it fails.
 */
export async function readSettled<Row extends Found | null>(
  { database, appUrl, now }: ReaderContext,
  read: () => Promise<Row>,
): Promise<Row> {
  const first = await read();
  const wanted = first?.live?.[0] ?? 0;
  let found = first;
  for (let checkpoints = 0; checkpoints < maxCheckpoints; checkpoints += 1) {
    if (found?.live == null || found.live[1] >= wanted) return found;
    try {
      await settleDocument({ database, appUrl, clock: { now: () => now } }, found.teamId, found.id);
    } catch {
      return found;
    }
    found = await read();
  }
  return found;
}
