import type { Actor } from "@kb/auth";
import type { Tx } from "@kb/db";
import type { WriteContext } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { AnswerAfterRollback } from "../prepare-again.ts";
import { offload } from "../threads/offload.ts";
import type { Body } from "./body.ts";
import type { DocumentWithFacts } from "./row.ts";

/**
 * Refuses a change that was made against another revision than the current one.
 * @throws {ServiceError} `revision_conflict`. Its detail names the guard that failed and the current revision, and holds
 * the difference between the two where the expected one is stored.
 */
export async function requireRevision(
  context: WriteContext,
  document: DocumentWithFacts,
  expectedRevision: number | undefined,
): Promise<void> {
  const { expectedRevisions } = context.call;
  if (expectedRevisions !== undefined && !expectedRevisions.includes(document.revision)) {
    throw await conflict(context, document, "expectedRevisions", expectedRevisions.at(-1));
  }
  if (expectedRevision !== undefined && expectedRevision !== document.revision) {
    throw await conflict(context, document, "expectedRevision", expectedRevision);
  }
}

async function conflict(
  { tx, actor }: WriteContext,
  document: DocumentWithFacts,
  path: "expectedRevisions" | "expectedRevision",
  expected: number | undefined,
): Promise<Error> {
  const bodies = expected === undefined ? undefined : await bodiesSince(tx, document, expected);
  if (bodies === undefined) return conflictError(document, path, expected);
  return new AnswerAfterRollback(async () => {
    throw conflictError(document, path, expected, await diffWhereQuick(actor, bodies));
  });
}

function conflictError(
  { revision: currentRevision }: DocumentWithFacts,
  path: "expectedRevisions" | "expectedRevision",
  expected: number | undefined,
  diff?: string,
): ServiceError {
  const message = `The document is at revision ${currentRevision}, not ${expected ?? "the expected one"}.`;
  const detail = { path, message, currentRevision, ...(diff === undefined ? {} : { diff }) };
  return new ServiceError("revision_conflict", `${message} Read it again, then repeat the change.`, {
    details: [detail],
  });
}

type Bodies = { readonly before: string; readonly after: string };

const sizeOf = ({ before, after }: Bodies): number => before.length + after.length;

/** Returns the diff of two bodies; undefined where it takes too long: the conflict is reported all the same. */
async function diffWhereQuick(actor: Actor, bodies: Bodies): Promise<string | undefined> {
  try {
    return await offload(actor.userId, "diff", sizeOf(bodies), bodies);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** Returns the unified diff from a document's Markdown, which was read with it, to a body. */
export function diffOf(actor: Actor, document: DocumentWithFacts, body: Body): Promise<string> {
  const bodies = { before: document.markdown ?? "", after: body.markdown };
  return offload(actor.userId, "diff", sizeOf(bodies), bodies);
}

/** Reads the Markdown of a past revision and of the current one; undefined where the past one is not stored. */
async function bodiesSince(tx: Tx, document: DocumentWithFacts, revision: number): Promise<Bodies | undefined> {
  // No later revision is stored, and the column cannot hold a larger number.
  if (revision >= document.revision) return undefined;
  const { teamId, id: documentId } = document;
  const before = await tx.documentRevision.findUnique({
    where: { teamId_documentId_revision: { teamId, documentId, revision } },
    select: { body: { select: { markdown: true } } },
  });
  if (before === null) return undefined;
  const after = await tx.documentBody.findUnique({
    where: { teamId_documentId: { teamId, documentId } },
    select: { markdown: true },
  });
  return { before: before.body.markdown, after: after?.markdown ?? "" };
}
