import { createHash } from "node:crypto";
import { sql, type Tx } from "@kb/db";
import { schemaVersion } from "@kb/live";
import { z } from "zod";
import type { WriteContext } from "../context.ts";
import { requireAccess } from "../documents/access.ts";
import { lockWith } from "../documents/lock.ts";
import { ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { requireRoomInQuota } from "../quotas/require-quota.ts";
import { Id } from "../schema/text.ts";
import { acceptLocked, keptDocuments, prepareAccepting } from "./accept-locked.ts";
import { type NewerBatch, oldestNeeded } from "./kept-documents.ts";
import { liveChannel } from "./live-log.ts";
import { batchesFrom, type ClientProgress, headOf, type LogProgress, progressOf, requirePosition } from "./log-head.ts";
import type { SizedSteps } from "./log-tasks.ts";
import { withShapes } from "./step-shapes.ts";
import { lacksCheckpoint, tryCheckpoint } from "./try-checkpoint.ts";

/** Bounds of one batch. */
const maxSteps = 500;
const maxStepsLength = 2_000_000;
const maxNumber = 2_147_483_647;

/** A number of a version of the log, or of a batch of a client. */
export const LogNumber = z.int().min(0).max(maxNumber);

const input = z.strictObject({
  documentId: Id,
  lineage: Id,
  clientId: Id,
  seq: LogNumber.min(1),
  base: LogNumber,
  schema: LogNumber.min(1),
  steps: z.array(z.record(z.string(), z.unknown())).min(1).max(maxSteps),
});

type Batch = z.output<typeof input>;

/** Accepts a batch of steps. A retry, with the same bytes, returns the same answer and changes nothing. */
export const pushSteps = operation({
  name: "live.push",
  summary: "Send steps of live editing",
  description:
    "Sends a batch of ProseMirror steps that were made for version `base` of the log `lineage`. It is rebased onto the batches since then. `seq` counts the batches of a client from 1; a batch whose answer was lost is sent again with the same `seq`, and is accepted once. `accepted` is `changed` if the steps of the log differ from those that were sent; `orphans` holds inserted text that no longer has a place. An answer means that the batch is stored durably.",
  scope: "write",
  capability: "document.edit",
  sessionOnly: true,
  confirmsInTransaction: true,
  input,
  output: z.object({ version: z.int(), accepted: z.enum(["same", "changed"]), orphans: z.array(z.string()) }),
  queueBy: ({ documentId }) => documentId,
  prepare: (batch, preparation) =>
    withShapes(batch.steps, async () => {
      const steps = stepsOf(batch);
      const hash = createHash("sha256").update(steps).digest();
      const sent = { ...batch, json: steps };
      return { sent, hash, prepared: await prepareAccepting(sent, preparation) };
    }),
  async run(context, batch, { sent, hash, prepared }) {
    const { tx, actor, now, audit } = context;
    const { documentId, clientId, lineage, base } = batch;
    const key = { teamId: actor.teamId, documentId };
    // Each checkpoint writes an entry of each author to the audit log, because a person types several batches in a second.
    audit.unchanged();
    const kept = keptDocuments.find(key);
    const [found, [head], [client], newer] = await lockWith<[LogProgress, ClientProgress, NewerBatch]>(
      tx,
      actor,
      documentId,
      {
        parts: { text: false },
        others: [
          headOf(key),
          progressOf(key, clientId),
          batchesFrom(key, kept === undefined ? maxNumber : oldestNeeded(kept, base)),
        ],
      },
    );
    const document = requireAccess(actor, "edit", found);
    requireOwn(client, actor.userId);
    const answered = answerOfRetry(client, batch.seq, hash);
    if (answered !== undefined) return answered;
    // A page that goes on from an old state of its device has to hear this of any log: what it holds is in the document already.
    requireUnused(client, batch.seq);
    // A log that was restored from a backup is behind its clients: its lineage, not their numbers, tells them.
    const progress = requirePosition(head, lineage, base);
    requireNext(client, batch.seq);
    requireSchema(batch.schema, context.schemaVersion);
    requireUnclaimed(progress.isClaimed);
    requireRecentlySaved(context, documentId, progress.unsavedSince);
    const accepted =
      prepared?.version === progress.version && prepared.lineage === lineage
        ? prepared.accepted
        : await withShapes(batch.steps, () => acceptLocked(context, sent, { head: progress, kept, newer }));
    await requireRoomInQuota(context, document.createdById, { documents: accepted.growth });
    const version = progress.version + 1;
    store(tx, { batch, hash, accepted, version, teamId: actor.teamId, userId: actor.userId, now });
    return answerOf({ ...accepted, version });
  },
});

/** Returns the steps as JSON text. @throws {ServiceError} `payload_too_large`, `steps_refused` */
function stepsOf({ steps }: Batch): string {
  const json = jsonOf(steps);
  if (json.length > maxStepsLength) {
    throw new ServiceError("payload_too_large", `A batch has at most ${maxStepsLength} characters of steps.`);
  }
  if (unstorable.test(json)) throw refused("A text has a NUL or an unpaired surrogate");
  return json;
}

function jsonOf(steps: Batch["steps"]): string {
  try {
    return JSON.stringify(steps);
  } catch (error) {
    if (error instanceof RangeError) throw refused("The steps are nested too deeply");
    throw error;
  }
}

/** Escapes in JSON, after an even number of backslashes, of what PostgreSQL cannot store. `JSON.stringify` writes pairs as they are. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

function refused(message: string): ServiceError {
  return new ServiceError("steps_refused", `${message}. Open the document again.`, {
    details: [{ path: "steps", message }],
  });
}

/** A log with text that is unsaved for longer than this takes no more text until it is saved. */
const maxUnsavedMs = 5 * 60 * 1000;

/** Checkpoints come within a minute: where one is missing, this call tries it. @throws {PrepareAgain} once in a call */
function requireRecentlySaved({ actor, now, call }: WriteContext, documentId: string, unsavedSince: Date | null): void {
  if (unsavedSince === null || unsavedSince.getTime() >= now.getTime() - maxUnsavedMs) return;
  if (!lacksCheckpoint(call)) throw tryCheckpoint(call, { teamId: actor.teamId, documentId });
}

/** @throws {ServiceError} `unavailable` while a change of a large body is prepared */
function requireUnclaimed(isClaimed: boolean): void {
  if (!isClaimed) return;
  throw new ServiceError("unavailable", "A large change of this document is being written. Send the batch again.", {
    retryAfterSeconds: 1,
  });
}

/** @throws {ServiceError} `conflict` for the client of somebody else */
function requireOwn(client: ClientProgress | undefined, userId: string): void {
  if (client !== undefined && client.userId !== userId) {
    throw new ServiceError("conflict", "This client id belongs to another user.");
  }
}

/** Returns the answer of a batch that is known already: the last one of its client, with the same steps. */
function answerOfRetry(client: ClientProgress | undefined, seq: number, hash: Uint8Array) {
  if (client === undefined || seq !== client.seq) return undefined;
  return client.hash === null || Buffer.compare(client.hash, hash) === 0 ? answerOf(client) : undefined;
}

/** @throws {ServiceError} `conflict` for a number of an accepted batch */
function requireUnused(client: ClientProgress | undefined, seq: number): void {
  if (seq > (client?.seq ?? 0)) return;
  throw new ServiceError("conflict", `The batch ${seq} of this client was accepted with other steps.`);
}

/** @throws {ServiceError} `conflict` for a number that is not the next one of the client */
function requireNext(client: ClientProgress | undefined, seq: number): void {
  const last = client?.seq ?? 0;
  if (seq === last + 1) return;
  throw new ServiceError("conflict", `The next batch of this client has the number ${last + 1}, not ${seq}.`);
}

/** @throws {ServiceError} `schema_ahead` for an old client, `unavailable` where this process is the old one */
function requireSchema(schema: number, own: number = schemaVersion): void {
  if (schema < own) throw new ServiceError("schema_ahead", "This page is outdated. Reload it.");
  if (schema > own) {
    throw new ServiceError("unavailable", "This instance is being updated. Try again shortly.", {
      retryAfterSeconds: 1,
    });
  }
}

function answerOf({ version, isChanged, orphans }: Pick<ClientProgress, "version" | "isChanged" | "orphans">) {
  return { version, accepted: isChanged ? ("changed" as const) : ("same" as const), orphans: [...orphans] };
}

type StoredBatch = {
  readonly batch: Batch;
  readonly hash: Uint8Array;
  readonly accepted: SizedSteps;
  readonly version: number;
  readonly teamId: string;
  readonly userId: string;
  readonly now: Date;
};

/** The time of a client decides when it is forgotten, after days. Each new one writes to an index. */
const notedEveryMs = 60 * 60 * 1000;

/** Writes the batch, the client's progress and the head in one statement, together with COMMIT. */
function store(tx: Tx, { batch, hash, accepted, version, teamId, userId, now }: StoredBatch): void {
  const { documentId, clientId, seq } = batch;
  const { steps, origins, isChanged, orphans } = accepted;
  tx.executeWithNext(sql`WITH appended AS (
      INSERT INTO live_batches ("teamId", "documentId", version, "clientId", seq, "authorId", kind, at, steps, bytes, origins)
      VALUES (${teamId}::uuid, ${documentId}::uuid, ${version}, ${clientId}::uuid, ${seq}, ${userId}::uuid, 'session', ${now},
        ${steps}::jsonb, ${Buffer.byteLength(steps)}, ${origins}::int[])
    ), noted AS (
      INSERT INTO live_clients ("teamId", "documentId", "clientId", "userId", seq, hash, version, "isChanged", orphans, at)
      VALUES (${teamId}::uuid, ${documentId}::uuid, ${clientId}::uuid, ${userId}::uuid, ${seq}, ${hash}, ${version}, ${isChanged},
        ${orphans}::text[], ${now})
      ON CONFLICT ("teamId", "documentId", "clientId") DO UPDATE SET seq = EXCLUDED.seq, hash = EXCLUDED.hash,
        version = EXCLUDED.version, "isChanged" = EXCLUDED."isChanged", orphans = EXCLUDED.orphans,
        at = CASE WHEN live_clients.at > EXCLUDED.at - ${notedEveryMs} * interval '1 ms' THEN live_clients.at ELSE EXCLUDED.at END
    )
    UPDATE live_documents SET version = ${version}, "unsavedSince" = COALESCE("unsavedSince", ${now}), "lastBatchAt" = ${now}
    WHERE "teamId" = ${teamId}::uuid AND "documentId" = ${documentId}::uuid`);
  tx.announce({ channel: liveChannel, payload: documentId });
}
