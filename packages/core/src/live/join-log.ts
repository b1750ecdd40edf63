import { type Reader, sql } from "@kb/db";
import type { CallMetadata, WriteContext } from "../context.ts";
import type { Body } from "../documents/body.ts";
import type { DocumentRow } from "../documents/row.ts";
import { PrepareAgain } from "../prepare-again.ts";
import { isLarge, offload } from "../threads/offload.ts";
import { appendSaved, permitBodyChange } from "./live-log.ts";

/** The steps of a change of a large body, computed between two attempts of a call. */
type PreparedSteps = { readonly revision: number; readonly content: string; readonly steps: string | null };

const preparedSteps = new WeakMap<CallMetadata, PreparedSteps>();

/**
 * Writes the change of a body to the log of its document, if it has one, so that open editors receive it as steps. Call it before
 * the body is written. The log has no batch that the body does not contain: `lockDocument` saw to that.
 * @throws {PrepareAgain} for a large body whose steps were not computed yet
 */
export async function joinLog(context: WriteContext, before: DocumentRow, body: Body): Promise<void> {
  if (before.live == null) return;
  const { tx, actor, now } = context;
  const { id: documentId, teamId } = before;
  const steps = await stepsOf(context, before, body);
  permitBodyChange(tx, documentId);
  if (steps === null) return;
  const [version] = before.live;
  appendSaved(
    tx,
    { teamId, documentId, version },
    { steps, authorId: actor.userId, kind: kinds[actor.credential.kind], now },
  );
}

const kinds = { api_key: "api_key", oauth: "app", session: "session", system: "system" } as const;

async function stepsOf(context: WriteContext, before: DocumentRow, body: Body): Promise<string | null> {
  const { tx, actor, call } = context;
  const { revision, live } = before;
  if (body.change !== undefined && body.change.savedVersion === live?.[0]) return body.change.steps;
  const prepared = preparedSteps.get(call);
  if (prepared?.revision === revision && prepared.content === body.content) return prepared.steps;
  const characters = (before.markdown?.length ?? before.text.length) + body.markdown.length;
  if (!isLarge(characters)) {
    const content = before.smallContent ?? (await readContent(tx, before));
    return offload(actor.userId, "stepsOfChange", characters, { before: content, after: body.content });
  }
  throw new PrepareAgain(async ({ database }) => {
    const content = await readContent(database, before);
    const steps = await offload(actor.userId, "stepsOfChange", characters, { before: content, after: body.content });
    preparedSteps.set(call, { revision, content: body.content, steps });
    return undefined;
  });
}

async function readContent(reader: Reader, { teamId, id }: DocumentRow): Promise<string> {
  const [row] = await reader.rows<{ content: string }>(sql`SELECT b.content::text AS content FROM document_bodies b
    WHERE b."teamId" = ${teamId}::uuid AND b."documentId" = ${id}::uuid`);
  if (row === undefined) throw new Error("a document without a body was locked");
  return row.content;
}
