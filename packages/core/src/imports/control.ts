import type { Actor } from "@kb/auth";
import { type Sql, sql, type Tx } from "@kb/db";
import { z } from "zod";
import { invalid, ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { requireWritable } from "./create.ts";
import { fileTtlMs, Import, type ImportRow, maxContinues, presentImport, requireImport } from "./import-row.ts";
import { requireRoomForImport } from "./room.ts";

/** Stops an import. What it has written stays. An import that has ended is left as it is. */
export const stopImport = operation({
  name: "imports.stop",
  summary: "Stop one of your imports",
  description: "What it has written stays. `imports.continue` goes on with it within a day.",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ id: Id }),
  output: Import,
  async run({ tx, actor, now, audit }, { id }) {
    const { status, isStopping } = await lockImport(tx, actor, id);
    if (status === "running" && !isStopping) await set(tx, actor, id, sql`"isStopping" = true`);
    else if (status === "waiting" || status === "queued") {
      await set(
        tx,
        actor,
        id,
        sql`status = 'stopped', "finishedAt" = ${now}, "fileEndsAt" = ${new Date(now.getTime() + fileTtlMs)}`,
      );
    } else audit.unchanged();
    return presentImport(await requireImport(tx, actor, id), now);
  },
});

/** Runs an import again: one that failed or was stopped, or the one that a dry run tried. */
export const continueImport = operation({
  name: "imports.continue",
  summary: "Continue one of your imports",
  description: `One that failed or was stopped, or the one that a dry run tried, while its file is kept: for a day after its end, or until a newer import needs its room; at most ${maxContinues} times. Documents are not imported twice. \`collectionId\` is needed where the import has none yet.`,
  scope: "write",
  capability: "document.create",
  sessionOnly: true,
  input: z.strictObject({ id: Id, collectionId: Id.optional() }),
  output: Import,
  async run(context, { id, collectionId }) {
    const { tx, actor, now, audit } = context;
    const row = await lockImport(tx, actor, id);
    if (!presentImport(row, now).canContinue) {
      throw new ServiceError("conflict", "This import cannot be continued: begin a new one with its file.");
    }
    const target = collectionId ?? row.collectionId;
    if (target === null) throw invalid("collectionId", "Required: the collection of this import does not exist");
    await requireWritable(tx, actor, target);
    await requireRoomForImport(context, 0);
    const options = JSON.stringify({ ...row.options, dryRun: false, newCollection: null });
    audit.addDetails({ collectionId: target });
    await set(
      tx,
      actor,
      id,
      sql`status = 'queued', "collectionId" = ${target}::uuid, options = ${options}::jsonb, continues = continues + 1,
        "queuedAt" = ${now}, "fileEndsAt" = NULL, files = 0, read = 0, written = 0, "isStopping" = false, failure = NULL, result = NULL, "startedAt" = NULL, "finishedAt" = NULL`,
    );
    return presentImport(await requireImport(tx, actor, id), now);
  },
});

/** Locks an import of the caller and reads it. @throws {ServiceError} `not_found` */
async function lockImport(tx: Tx, actor: Actor, id: string): Promise<ImportRow> {
  await tx.rows(
    sql`SELECT 1 FROM imports i WHERE i."teamId" = ${actor.teamId}::uuid AND i.id = ${id}::uuid FOR UPDATE`,
  );
  return requireImport(tx, actor, id);
}

function set(tx: Tx, { teamId }: Actor, id: string, columns: Sql): Promise<number> {
  return tx.execute(sql`UPDATE imports SET ${columns} WHERE "teamId" = ${teamId}::uuid AND id = ${id}::uuid`);
}
