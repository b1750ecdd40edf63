import type { Tx } from "@kb/db";
import { diff } from "markdown-codec";
import { ServiceError } from "../errors.ts";
import type { WriteContext } from "../operation.ts";
import type { DocumentWithFacts } from "./row.ts";

/**
 * Refuses a change that was made against another revision than the current one.
 * @throws {ServiceError} `revision_conflict`, whose detail names the guard that failed and the current revision, with the
 * difference between the two where the expected one is stored.
 */
export async function requireRevision(
  context: WriteContext,
  document: DocumentWithFacts,
  expectedRevision: number | undefined,
): Promise<void> {
  const { ifMatch } = context.call;
  if (ifMatch !== undefined && !ifMatch.includes(document.revision)) {
    throw await conflict(context.tx, document, "If-Match", ifMatch.at(-1));
  }
  if (expectedRevision !== undefined && expectedRevision !== document.revision) {
    throw await conflict(context.tx, document, "expectedRevision", expectedRevision);
  }
}

async function conflict(
  tx: Tx,
  document: DocumentWithFacts,
  path: "If-Match" | "expectedRevision",
  expected: number | undefined,
): Promise<ServiceError> {
  const currentRevision = document.revision;
  const message = `The document is at revision ${currentRevision}, not at ${expected ?? "the one given"}.`;
  const changes = expected === undefined ? undefined : await differenceSince(tx, document, expected);
  const detail = { path, message, currentRevision, ...(changes === undefined ? {} : { diff: changes }) };
  return new ServiceError("revision_conflict", `${message} Read it again, then repeat the change.`, {
    details: [detail],
  });
}

async function differenceSince(tx: Tx, document: DocumentWithFacts, revision: number): Promise<string | undefined> {
  // Nothing later is stored, and the column holds no greater number.
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
  return diff(before.body.markdown, after?.markdown ?? "");
}
