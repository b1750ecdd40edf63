import type { Tx } from "@kb/db";
import { labelsOf } from "../documents/search-entry.ts";
import { ServiceError } from "../errors.ts";
import { offload } from "../threads/offload.ts";
import { tasks } from "../threads/tasks.ts";
import type { DerivedBody } from "./followed-document.ts";
import { type DocumentKey, lockUnsaved, readUnsaved, type UnsavedDocument } from "./unsaved-document.ts";
import { type Checkpoint, type CheckpointService, writeCheckpoint } from "./write-checkpoint.ts";

/** A large document that others change all the time is derived at most this often. */
const maxAttempts = 6;

/**
 * Writes everything that was accepted for a document before this call into its saved body, with its revision, history, event
 * and search index. A small body is derived under the lock; a large one before it, in a thread: batches that come meanwhile stay
 * unsaved, and nobody waits.
 * @throws {ServiceError} `unavailable` where too much waits for a thread, or the document changes too often
 */
export async function settleDocument(service: CheckpointService, teamId: string, documentId: string): Promise<void> {
  const key = { teamId, documentId };
  let prepared: Checkpoint | undefined;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const isDone = await service.database.transaction((tx) => settleLocked(service, tx, key, prepared));
    if (isDone) return;
    prepared = await derivedInThread(service, key);
    if (prepared === undefined) return;
  }
  throw new ServiceError("unavailable", "This document is changing too often. Try again shortly.", {
    retryAfterSeconds: 1,
  });
}

/** Writes a checkpoint under the lock. Returns false where the body has to be derived outside of the transaction first. */
async function settleLocked(service: CheckpointService, tx: Tx, key: DocumentKey, prepared: Checkpoint | undefined) {
  const now = await lockUnsaved(tx, key);
  if (now === undefined) return true;
  const checkpoint = prepared !== undefined && isStillRight(prepared, now) ? prepared : derivedHere(now);
  return checkpoint === undefined ? false : writeCheckpoint(service, tx, now, checkpoint);
}

/** Batches may have been added, but the saved body and its labels must be those from which the new one was derived. */
function isStillRight({ from, derived }: Checkpoint, now: UnsavedDocument): boolean {
  if (from.lineage !== now.lineage || from.savedVersion !== now.savedVersion) return false;
  if (JSON.stringify(labelsOf(from)) !== JSON.stringify(labelsOf(now))) return false;
  // The steps that bring a document into normal form come after its newest batch.
  return derived.normalSteps === null || from.version === now.version;
}

function derivedHere(from: UnsavedDocument): Checkpoint | undefined {
  const { content, markdown, steps: batches } = from;
  if (content === null || markdown === null || batches === null) return undefined;
  const startedAt = performance.now();
  const derived = tasks.deriveBody({ id: from.id, log: { content, batches }, labels: labelsOf(from) });
  return checkpointOf(from, markdown, derived, startedAt);
}

async function derivedInThread({ database }: CheckpointService, key: DocumentKey): Promise<Checkpoint | undefined> {
  const from = await readUnsaved(database, key, "whole");
  if (from === undefined) return undefined;
  const { content, markdown, steps: batches, authors } = from;
  if (content === null || markdown === null || batches === null) throw new Error("the whole document was read");
  const startedAt = performance.now();
  const input = { id: from.id, log: { content, batches }, labels: labelsOf(from) };
  const derived = await offload(authors.at(-1) ?? key.teamId, "deriveBody", content.length, input);
  return checkpointOf(from, markdown, derived, startedAt);
}

function checkpointOf(from: UnsavedDocument, markdown: string, derived: DerivedBody, startedAt: number): Checkpoint {
  return { from, markdown, derived, costMs: Math.ceil(performance.now() - startedAt) };
}
