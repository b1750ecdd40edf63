import { LargeChangeError, LiveDocument } from "@kb/live";
import { metered } from "@kb/telemetry";
import type { CallMetadata, WriteContext } from "../context.ts";
import type { Preparation } from "../operation.ts";
import { PrepareAgain } from "../prepare-again.ts";
import { isLarge, keepThreadWarm, offload } from "../threads/offload.ts";
import {
  afterOnLoop,
  type CaughtUp,
  catchUp,
  charactersAfter,
  isLargeNoMore,
  type KeptDocument,
  KeptDocuments,
  type NewerBatch,
  nameOfBatch,
} from "./kept-documents.ts";
import { loadDocument } from "./load-document.ts";
import {
  type LogPart,
  type LogProgress,
  mostRebasedBytes,
  mostUnsavedBytes,
  readLogPart,
  requirePosition,
  tooOld,
} from "./log-head.ts";
import { acceptOnLoop, readable, type SizedSteps } from "./log-tasks.ts";
import { lacksCheckpoint, tryCheckpoint } from "./try-checkpoint.ts";

/** The documents that this process has as nodes. */
export const keptDocuments = new KeptDocuments();

/** A batch as it was sent, with its steps as JSON text. */
export type SentSteps = {
  readonly documentId: string;
  readonly clientId: string;
  readonly seq: number;
  readonly lineage: string;
  readonly base: number;
  readonly json: string;
};

/** The head of a locked log, the document that this process has kept, and the batches that `catchUp` needs. */
type LockedLog = {
  readonly head: LogProgress;
  readonly kept: KeptDocument | undefined;
  readonly newer: readonly NewerBatch[];
};

/** A batch that was accepted in a thread, at a version of the log. */
export type AcceptedInThread = {
  readonly lineage: string;
  readonly version: number;
  readonly accepted: SizedSteps;
};

/** Calls that have read their document into this process, and those whose batch belongs in a thread. */
const callsWithDocument = new WeakSet<CallMetadata>();
const callsInThread = new WeakSet<CallMetadata>();

/**
 * Reads a large document into this process in pieces, outside of the transaction: from the second attempt on, once access was
 * checked. A batch that changes much of it, or lies far back, is accepted in a thread instead.
 */
export async function prepareAccepting(
  sent: SentSteps,
  preparation: Preparation,
): Promise<AcceptedInThread | undefined> {
  const { actor, attempt, call, service } = preparation;
  if (attempt === 0) return undefined;
  const key = { teamId: actor.teamId, documentId: sent.documentId };
  const isForThread = isLarge(sent.json.length) || callsWithDocument.has(call) || callsInThread.has(call);
  if (isForThread || keptDocuments.find(key)?.document === null) return acceptInThread(sent, preparation);
  callsWithDocument.add(call);
  const loaded = await loadDocument(service.database, key);
  if (loaded === undefined) return undefined;
  keptDocuments.keep(key, loaded);
  return loaded.document === null ? acceptInThread(sent, preparation) : undefined;
}

async function acceptInThread(
  { documentId, base, json }: SentSteps,
  { actor, call, service }: Preparation,
): Promise<AcceptedInThread | undefined> {
  const read = await readLogPart(service.database, { teamId: actor.teamId, documentId }, base, "whole");
  if (read?.part == null || base > read.head.version || base < read.head.oldestVersion) return undefined;
  const { lineage, version } = read.head;
  // What is small as text may still mark much.
  const accepted = await offload(actor.userId, "acceptSteps", Number.POSITIVE_INFINITY, taskOf(read.part, json, call));
  return { lineage, version, accepted };
}

/**
 * Returns the form in which a batch is accepted after everything in its locked log.
 * @throws {PrepareAgain} for a large document that this process has to read first, for a large change, and for a document that has
 * to be saved first; {ServiceError} `too_old` where too much was written since the base
 */
export async function acceptLocked(context: WriteContext, sent: SentSteps, log: LockedLog): Promise<SizedSteps> {
  const { head, kept, newer } = log;
  if (isLargeNoMore(kept, head)) keptDocuments.forget({ teamId: context.actor.teamId, documentId: sent.documentId });
  const isOrdinary = head.unsavedBytes <= mostUnsavedBytes && !lacksCheckpoint(context.call);
  if (isOrdinary && !isLarge(sent.json.length)) {
    const caughtUp = metered(() => readable(() => catchUp(kept, head, newer, sent.base)));
    if (caughtUp !== undefined) return acceptAndKeep(context, sent, log, caughtUp);
  }
  return acceptSmall(context, sent, log);
}

/** Reads a small document and accepts the batch. */
async function acceptSmall(context: WriteContext, sent: SentSteps, log: LockedLog): Promise<SizedSteps> {
  const { tx, actor, call } = context;
  const { documentId, base, lineage, json } = sent;
  const key = { teamId: actor.teamId, documentId };
  const read = await readLogPart(tx, key, base, "small");
  requirePosition(read?.head, lineage, base);
  if (read !== undefined && read.sinceBytes > mostRebasedBytes) throw tooOld();
  if (read !== undefined && read.unsavedBytes > mostUnsavedBytes && !lacksCheckpoint(call))
    throw tryCheckpoint(call, key);
  if (read?.part == null || isLarge(json.length)) throw new PrepareAgain();
  const { content, batches, since } = read.part;
  if (lacksCheckpoint(call)) return offload(documentId, "acceptSteps", json.length, taskOf(read.part, json, call));
  const document = metered(() => readable(() => afterOnLoop(LiveDocument.read(content), batches)));
  if (document === null) throw inThreadNext(call);
  const characters = batches.reduce((sum, batch) => sum + batch.length, content.length);
  return acceptAndKeep(context, sent, log, { document, since, characters });
}

/** The document is kept once its batch is committed. */
function acceptAndKeep(
  { tx, actor, now, call }: WriteContext,
  { documentId, clientId, seq, json }: SentSteps,
  { head: { lineage, version, savedVersion } }: LockedLog,
  caughtUp: CaughtUp,
): SizedSteps {
  try {
    const { accepted, document } = metered(() => acceptOnLoop(caughtUp, json));
    const lastBatch = nameOfBatch({ clientId, seq, at: now });
    const kept = {
      lineage,
      version: version + 1,
      savedVersion,
      lastBatch,
      document,
      characters: charactersAfter(caughtUp.characters, caughtUp.document, document, [accepted.steps]),
    };
    tx.afterCommit(async () => {
      keptDocuments.keep({ teamId: actor.teamId, documentId }, kept);
      if (isLarge(kept.characters)) keepThreadWarm();
    });
    return accepted;
  } catch (error) {
    if (!(error instanceof LargeChangeError)) throw error;
    throw inThreadNext(call);
  }
}

/** Returns the error after which a call has its batch accepted in a thread. */
function inThreadNext(call: CallMetadata): PrepareAgain {
  callsInThread.add(call);
  return new PrepareAgain();
}

const taskOf = ({ content, batches, since }: LogPart, steps: string, call: CallMetadata) => ({
  log: { content, batches },
  sent: { steps, since },
  mayGrow: !lacksCheckpoint(call),
});
