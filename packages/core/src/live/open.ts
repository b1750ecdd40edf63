import { decideDocument } from "@kb/auth";
import { newId, sql, type Tx, takeMomentIf } from "@kb/db";
import { schemaVersion } from "@kb/live";
import { z } from "zod";
import { requireAccess } from "../documents/access.ts";
import { lockUnsettled } from "../documents/lock.ts";
import { factsOf } from "../documents/row.ts";
import { operation } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { type BatchRow, batchesAfter, LiveBatch, presentBatch } from "./batch-rows.ts";
import { headOf, type LogHead } from "./log-head.ts";
import type { DocumentKey } from "./unsaved-document.ts";

/** Opens a document for live editing: begins its log unless it has one, and returns the saved content and the batches after it. */
export const openLive = operation({
  name: "live.open",
  summary: "Open a document for live editing",
  description:
    "Returns the saved content at `savedVersion` of the log `lineage`, and the batches after it, up to `version`. `schema` is the number of the schema of the content: a client that knows another one has to reload. `author` is your id, under which your batches appear.",
  scope: "read",
  capability: "document.read",
  sessionOnly: true,
  input: z.strictObject({ documentId: Id }),
  output: z.object({
    lineage: z.uuid(),
    version: z.int(),
    savedVersion: z.int(),
    schema: z.int(),
    revision: z.int(),
    content: z.record(z.string(), z.unknown()),
    batches: z.array(LiveBatch),
    canWrite: z.boolean(),
    author: z.uuid(),
  }),
  queueBy: ({ documentId }) => documentId,
  async run({ tx, actor, now, audit, schemaVersion: schema = schemaVersion }, { documentId }) {
    audit.unchanged();
    const parts = { text: false, content: true };
    const document = requireAccess(actor, "read", await lockUnsettled(tx, actor, documentId, parts));
    const key = { teamId: actor.teamId, documentId };
    const [[found], batches] = await tx.rowsOfEach<[LogHead, BatchRow]>([
      headOf(key),
      batchesAfter(key, savedVersion(document.live)),
    ]);
    const head = found ?? (await beginLog(tx, key, now));
    return {
      lineage: head.lineage,
      version: head.version,
      savedVersion: head.savedVersion,
      schema,
      revision: document.revision,
      content: document.content ?? {},
      batches: batches.map(presentBatch),
      canWrite: decideDocument(actor, "edit", factsOf(document)) === "allow",
      author: actor.userId,
    };
  },
});

const savedVersion = (live: readonly [number, number] | null | undefined): number => live?.[1] ?? 0;

async function beginLog(tx: Tx, { teamId, documentId }: DocumentKey, now: Date): Promise<LogHead> {
  const lineage = newId();
  await tx.execute(sql`WITH begun AS (
      INSERT INTO live_documents ("teamId", "documentId", lineage, "lastBatchAt")
      VALUES (${teamId}::uuid, ${documentId}::uuid, ${lineage}::uuid, ${now})
    ), named AS (
      UPDATE documents SET "collaborativeId" = ${lineage} WHERE "teamId" = ${teamId}::uuid AND id = ${documentId}::uuid RETURNING 1
    ) ${takeMomentIf(sql`named`, teamId)}`);
  return { lineage, version: 0, savedVersion: 0, oldestVersion: 0 };
}
