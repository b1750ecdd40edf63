import { setImmediate } from "node:timers/promises";
import { type Database, sql } from "@kb/db";
import { LargeChangeError, LiveDocument } from "@kb/live";
import { metered } from "@kb/telemetry";
import { maxOnEventLoop } from "../threads/max-on-event-loop.ts";
import { type KeptDocument, nameOfBatch } from "./kept-documents.ts";
import { mostUnsavedBytes } from "./log-head.ts";
import type { DocumentKey } from "./unsaved-document.ts";

/** The JSON of a text is longer than its Markdown by about this factor. */
const jsonFactor = 3;
/** Characters of JSON that are read without a pause for others. */
const maxPiece = jsonFactor * maxOnEventLoop;

type Position = {
  readonly lineage: string;
  readonly version: number;
  readonly savedVersion: number;
  readonly clientId: string | null;
  readonly seq: number | null;
  readonly at: Date | null;
};
type Text = { readonly text: string };
/** The steps of a batch; null where there are too many before it. */
type Batch = { readonly text: string | null };

/**
 * Reads a document with its log in pieces, between which others go on: a few milliseconds of the event loop at once, however large
 * it is. Returns undefined without a log; one with `document: null` where a single block is too large for that, or the batches mark
 * too much.
 */
export async function loadDocument(database: Database, key: DocumentKey): Promise<KeptDocument | undefined> {
  const read = await database.readTransaction((tx) =>
    tx.rowsOfEach<[Position, Text, Batch]>([positionOf(key), blocksOf(key), unsavedBatches(key)]),
  );
  const [[position], blocks, batches] = read;
  if (position === undefined) return undefined;
  const { lineage, version, savedVersion, clientId, seq, at } = position;
  const lastBatch = clientId === null || seq === null || at === null ? null : nameOfBatch({ clientId, seq, at });
  const pieces = [...blocks, ...batches];
  const characters = pieces.reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
  // Without its last batch, which was removed, a version above 0 cannot be recognized.
  const isReadable = (lastBatch !== null || version === 0) && pieces.every(isPiece);
  const document = isReadable ? await readInPieces(blocks, batches.filter(isPiece)) : null;
  return { lineage, version, savedVersion, lastBatch, document, characters };
}

const isPiece = (piece: Batch): piece is Text => piece.text !== null && piece.text.length <= maxPiece;

/** Returns null for batches that mark more than the event loop has time for. */
async function readInPieces(blocks: readonly Text[], batches: readonly Text[]): Promise<LiveDocument | null> {
  const pace = new Pace();
  const textsOf = (pieces: readonly Text[]) => pieces.map(({ text }) => text);
  const saved = await inPieces(LiveDocument.readBlocks(textsOf(blocks)), blocks, pace);
  try {
    return await inPieces(saved.replay(textsOf(batches), maxOnEventLoop), batches, pace);
  } catch (error) {
    if (error instanceof LargeChangeError) return null;
    throw error;
  }
}

/** Reads to the end, with pauses. */
async function inPieces<T>(reading: Generator<undefined, T>, pieces: readonly Text[], pace: Pace): Promise<T> {
  let next = metered(() => reading.next());
  for (let index = 0; next.done !== true; index += 1) {
    await pace.after(pieces[index]?.text.length ?? 0);
    next = metered(() => reading.next());
  }
  return next.value;
}

/** Lets others have the event loop after each piece of work. */
class Pace {
  #characters = 0;

  async after(characters: number): Promise<void> {
    this.#characters += characters;
    if (this.#characters < maxPiece) return;
    this.#characters = 0;
    await setImmediate();
  }
}

const positionOf = ({ teamId, documentId }: DocumentKey) => sql`
  SELECT l.lineage, l.version, l."savedVersion", b."clientId", b.seq, b.at FROM live_documents l
  LEFT JOIN live_batches b ON b."teamId" = l."teamId" AND b."documentId" = l."documentId" AND b.version = l.version
  WHERE l."teamId" = ${teamId}::uuid AND l."documentId" = ${documentId}::uuid`;

const blocksOf = ({ teamId, documentId }: DocumentKey) => sql`
  SELECT e.value::text AS text FROM document_bodies b
  CROSS JOIN LATERAL jsonb_array_elements(b.content->'content') WITH ORDINALITY AS e(value, place)
  WHERE b."teamId" = ${teamId}::uuid AND b."documentId" = ${documentId}::uuid ORDER BY e.place`;

const unsavedBatches = ({ teamId, documentId }: DocumentKey) => sql`
  SELECT CASE WHEN p.total <= ${mostUnsavedBytes} THEN p.text END AS text FROM (SELECT b.version, b.steps::text AS text, sum(octet_length(b.steps::text)) OVER (ORDER BY b.version) AS total
    FROM live_batches b WHERE b."teamId" = ${teamId}::uuid AND b."documentId" = ${documentId}::uuid
      AND b.version > (SELECT l."savedVersion" FROM live_documents l
        WHERE l."teamId" = ${teamId}::uuid AND l."documentId" = ${documentId}::uuid)) p
  ORDER BY p.version`;
