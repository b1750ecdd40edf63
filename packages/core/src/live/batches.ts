import type { Reader } from "@kb/db";
import { z } from "zod";
import { requireAccess } from "../documents/access.ts";
import { findDocument } from "../documents/row.ts";
import { query } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { type BatchRow, batchesAfter, LiveBatch, presentBatch } from "./batch-rows.ts";
import { headOf, type LogHead, requirePosition } from "./log-head.ts";
import { LogNumber } from "./push.ts";
import type { DocumentKey } from "./unsaved-document.ts";

/** Reads the batches after a version: for a client without a stream, or one that has to catch up. */
export const pullBatches = query({
  name: "live.batches",
  summary: "Get the steps of live editing after a version",
  description:
    "Returns the batches of the log `lineage` after the version `since`, in order and without gaps: at most 500, or 1 MB. `version` is the last one of the log; ask again from the last batch on until you have it.",
  scope: "read",
  capability: "document.read",
  sessionOnly: true,
  input: z.strictObject({ documentId: Id, lineage: Id, since: LogNumber }),
  output: z.object({ version: z.int(), batches: z.array(LiveBatch) }),
  async run({ reader, actor }, { documentId, lineage, since }) {
    requireAccess(actor, "read", await findDocument(reader, actor, documentId, { text: false }));
    return readBatches(reader, { teamId: actor.teamId, documentId }, lineage, since);
  },
});

async function readBatches(reader: Reader, key: DocumentKey, lineage: string, since: number) {
  const [[head], rows] = await reader.rowsOfEach<[LogHead, BatchRow]>([headOf(key), batchesAfter(key, since)]);
  const { version } = requirePosition(head, lineage, since);
  return { version, batches: rows.map(presentBatch) };
}
