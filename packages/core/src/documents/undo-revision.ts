import type { Actor } from "@kb/auth";
import { type Reader, sql } from "@kb/db";
import { z } from "zod";
import type { WriteContext } from "../context.ts";
import { notFound, ServiceError } from "../errors.ts";
import { mapAnswer } from "../final-change.ts";
import { operation, type Preparation } from "../operation.ts";
import { PrepareAgain } from "../prepare-again.ts";
import { Document, ExpectedRevision } from "../schema/document.ts";
import { isLarge, offload } from "../threads/offload.ts";
import { requireAccess } from "./access.ts";
import type { LockedDocument } from "./edit-run.ts";
import { lockDocument } from "./lock.ts";
import { prepareIndex } from "./prepare-body.ts";
import { requireRevision } from "./revision-guard.ts";
import { findState, revisionInput, type StateWithBody } from "./revisions.ts";
import { presentDocument } from "./row.ts";
import { type DocumentChange, effectiveChange, isEmpty, saveDocument } from "./save.ts";
import { labelsOf, type PreparedIndex } from "./search-entry.ts";
import { readStoredBody, type StoredBody } from "./stored-body.ts";
import type { UndoneBody } from "./undone-body.ts";

/** Takes back what one revision changed, and keeps everything that was changed since. */
export const undoRevision = operation({
  name: "documents.revisions.undo",
  summary: "Undo the change of a revision",
  description:
    "Takes back what the revision changed in the title, emoji and body since the stored revision before it, as a new revision. Later changes stay, also text that was written inside of what the revision added. A part is left as it is if its text was changed or deleted since: `undoneParts` and `leftParts` count both. If nothing can be undone, the answer is 409 `conflict`, as for the number of a revision that edits by the same author continued as a later one, which the message names. Tags, place and status stay.",
  scope: "write",
  capability: "document.edit",
  input: z.strictObject({ ...revisionInput, expectedRevision: ExpectedRevision.optional() }),
  output: Document.extend({
    /** Number of separate places of the change that were undone. */
    undoneParts: z.int(),
    /** Number of places that stay, because they were changed again since. */
    leftParts: z.int(),
  }).meta({ id: "UndoneRevision" }),
  queueBy: (request) => request.id,
  prepare: (request, preparation) => prepareUndo(request, preparation),
  async run(context, { id, revision, expectedRevision }, prepared) {
    const { tx, actor, appUrl } = context;
    const before = requireAccess(actor, "edit", await lockDocument(tx, actor, id, wholeBody));
    await requireRevision(context, before, expectedRevision);
    const { past, undone, index } =
      prepared?.revision === before.revision ? prepared : await undoSmall(context, before, { id, revision });
    const fields = undoFields(past, before);
    const change = effectiveChange(before, { ...fields.change, body: undone.body });
    if (isEmpty(change)) throw nothingLeft();
    const saved = await saveDocument(context, before, change, index, { undoes: revision });
    return mapAnswer(saved, (after) => ({
      ...presentDocument(after, appUrl),
      undoneParts: undone.undone + fields.undone,
      leftParts: undone.left + fields.left,
    }));
  },
});

const wholeBody = { markdown: true, smallContent: true };

type Undo = { readonly id: string; readonly revision: number };

/** A stored state, and the stored state before it. */
type Change = { readonly after: StateWithBody; readonly before: StateWithBody };

type PreparedUndo = {
  readonly revision: number;
  readonly past: Change;
  readonly undone: UndoneBody;
  /** Of the stored body under its earlier title, where the body stays. */
  readonly index?: PreparedIndex | undefined;
};

/** @throws {ServiceError} `not_found`; `conflict` for the first revision, and for one that was continued as a later one */
async function requireChange(reader: Reader, actor: Actor, { id, revision }: Undo): Promise<Change> {
  const after = await findState(reader, actor, id, sql`r.revision >= ${revision} ORDER BY r.revision LIMIT 1`);
  const before = await findState(reader, actor, id, sql`r.revision < ${revision} ORDER BY r.revision DESC LIMIT 1`);
  if (after === undefined) throw notFound("Revision");
  if (after.revision !== revision)
    throw before === undefined ? notFound("Revision") : continued(revision, after.revision);
  if (before === undefined) throw conflict("This is the first revision: there is no earlier one to go back to.");
  return { after, before };
}

/** Two comparisons and a rebase of hundreds of places cost about four times as much as other work on the same text. */
const sizeOf = ({ after, before }: Change, content: string): number =>
  4 * (after.content.length + before.content.length + content.length);

/** The input of the task that undoes a change in a stored body. */
function inputOf({ after, before }: Change, stored: Pick<StoredBody, "content" | "markdown">) {
  return { content: stored.content, markdown: stored.markdown, before: before.content, after: after.content };
}

/** Undoes a change of a large document in a thread, from the second attempt on. */
async function prepareUndo(request: Undo, { actor, attempt, service }: Preparation): Promise<PreparedUndo | undefined> {
  if (attempt === 0) return undefined;
  const { database } = service;
  const stored = await readStoredBody(database, actor, request.id);
  if (stored === null) return undefined;
  const { revision, title, tags, live } = stored;
  const past = await requireChange(database, actor, request);
  const earlierTitle = undoFields(past, stored).change.title;
  const labels = labelsOf({ tags, title: earlierTitle ?? title });
  const input = { ...inputOf(past, stored), labels, savedVersion: live?.[1] };
  const undone = await offload(actor.userId, "undoneBody", sizeOf(past, stored.content), input);
  const keepsBody = undone.body === undefined || undone.body.markdown === stored.markdown;
  const index = keepsBody && earlierTitle !== undefined ? await prepareIndex(actor.userId, stored, labels) : undefined;
  return { revision, past, undone, index };
}

/** @throws {PrepareAgain} for a large body */
async function undoSmall(
  { tx, actor }: WriteContext,
  before: LockedDocument,
  request: Undo,
): Promise<Omit<PreparedUndo, "revision">> {
  const past = await requireChange(tx, actor, request);
  const { markdown = "", smallContent } = before;
  if (isLarge(markdown.length)) throw new PrepareAgain();
  const content = smallContent ?? (await readStoredBody(tx, actor, request.id))?.content ?? "";
  const characters = sizeOf(past, content);
  if (isLarge(characters)) throw new PrepareAgain();
  return { past, undone: await offload(actor.userId, "undoneBody", characters, inputOf(past, { content, markdown })) };
}

type Fields = { readonly title: string; readonly emoji?: string | null };

/** Takes back the title and the emoji, each unless it was changed again since. */
function undoFields({ after, before }: Change, current: Fields) {
  const changed = (["title", "emoji"] as const).filter((field) => after[field] !== before[field]);
  const taken = changed.filter((field) => current[field] === after[field]);
  const change: DocumentChange = Object.fromEntries(taken.map((field) => [field, before[field]]));
  return { change, undone: taken.length, left: changed.length - taken.length };
}

const conflict = (message: string): ServiceError => new ServiceError("conflict", message);

function continued(revision: number, later: number): ServiceError {
  const message = `Revision ${revision} was continued as revision ${later}: undo that one to take back both.`;
  return new ServiceError("conflict", message, { details: [{ path: "revision", message, currentRevision: later }] });
}

const nothingLeft = (): ServiceError =>
  conflict(
    "Nothing of this change can be undone: all that it changed was changed or deleted since, or is already as it was.",
  );
