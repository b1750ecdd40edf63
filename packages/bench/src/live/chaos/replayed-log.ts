import { createHash } from "node:crypto";
import { type Database, sql } from "@kb/db";
import { LiveDocument } from "@kb/live";
import { piecesIn, writerOf } from "./pieces.ts";

/** A document at the end of its log. */
export type ReplayedLog = {
  /** The pieces in the text, in their order. */
  readonly pieces: readonly string[];
  /** How often each piece was written, other than by the restoring of a revision. */
  readonly written: ReadonlyMap<string, number>;
  /** The number of revisions that were restored. */
  readonly restored: number;
  readonly problems: readonly string[];
};

/** A batch of a log; `steps` is JSON text. */
type Batch = { readonly version: number; readonly isOfClient: boolean; readonly steps: string };

/** Applies the log of a document to its first content, JSON text, and judges it. */
export async function replayLog(database: Database, id: string, first: string): Promise<ReplayedLog> {
  const { batches, problems } = await readLog(database, id);
  const replayed = replayBatches(first, batches);
  return { ...replayed, problems: [...problems, ...replayed.problems] };
}

/**
 * Judges each batch by the pieces before and after it: people and targeted edits take nothing away but what an assistant's own
 * section had, and a restore leads to an earlier state.
 */
export function replayBatches(first: string, batches: readonly Batch[]): ReplayedLog {
  const problems: string[] = [];
  const written = new Map<string, number>();
  let document = LiveDocument.read(first);
  let pieces = piecesOf(document);
  const states = new Set([stateOf(pieces)]);
  let restored = 0;
  for (const { version, isOfClient, steps } of batches) {
    document = document.after([steps]);
    const after = piecesOf(document);
    if (!isOfClient && states.has(stateOf(after))) {
      restored += stateOf(after) === stateOf(pieces) ? 0 : 1;
    } else {
      const known = new Set(pieces);
      const left = new Set(after);
      const added = after.filter((piece) => !known.has(piece));
      const removed = pieces.filter((piece) => !left.has(piece));
      if (after.length !== left.size) problems.push(`version ${version} has a piece twice`);
      if (removed.length > 0 && (isOfClient || !isOwnSection(removed, added)))
        problems.push(`version ${version} takes ${removed.join()} away`);
      for (const piece of added) written.set(piece, (written.get(piece) ?? 0) + 1);
    }
    pieces = after;
    states.add(stateOf(after));
  }
  return { pieces, written, restored, problems };
}

/** A section is replaced by its assistant: its piece takes the place of an earlier one with the same capital letter. */
function isOwnSection(removed: readonly string[], added: readonly string[]): boolean {
  const [writer, ...others] = new Set([...removed, ...added].map(writerOf));
  return writer !== undefined && others.length === 0 && /[A-Z]/.test(writer);
}

const piecesOf = (document: LiveDocument): readonly string[] => piecesIn(JSON.stringify(document.toContent()));

const stateOf = (pieces: readonly string[]): string => createHash("sha256").update(pieces.join()).digest("base64");

type Row = { readonly last: number; readonly version: number; readonly clientId: string; readonly seq: number };

/** Reads the log of a document from its beginning. One that nobody opened has none. */
async function readLog(database: Database, id: string): Promise<{ batches: readonly Batch[]; problems: string[] }> {
  const rows = await database.acrossTeams.rows<Row & { steps: string }>(sql`
    SELECT l.version AS last, b.version, b."clientId", b.seq, b.steps::text AS steps
    FROM live_documents l JOIN live_batches b USING ("teamId", "documentId")
    WHERE l."documentId" = ${id}::uuid ORDER BY b.version`);
  const problems: string[] = [];
  if (rows.some(({ version }, index) => version !== index + 1)) problems.push("the log has a gap");
  if (rows.length > 0 && rows.length !== rows[0]?.last) problems.push("the log does not end where its head says");
  const sent = rows.filter(isOfClient).map(({ clientId, seq }) => `${clientId} ${seq}`);
  if (new Set(sent).size !== sent.length) problems.push("a batch is in the log twice");
  const batches = rows.map((row) => ({ version: row.version, isOfClient: isOfClient(row), steps: row.steps }));
  return { batches, problems };
}

/** Batches of targeted edits and restores have no client, and no number. */
const isOfClient = ({ seq }: Row): boolean => seq !== 0;
