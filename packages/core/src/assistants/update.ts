import { z } from "zod";
import { prepareUpdate } from "../documents/prepare-body.ts";
import { diffOf } from "../documents/revision-guard.ts";
import { isEmpty } from "../documents/save.ts";
import type { TagEdits } from "../documents/tag-edits.ts";
import { planUpdate, saveUpdate } from "../documents/update.ts";
import { invalid } from "../errors.ts";
import { mapAnswer } from "../final-change.ts";
import { requireNobodyTyping } from "../live/editing-now.ts";
import { operation } from "../operation.ts";
import { AnswerAfterRollback } from "../prepare-again.ts";
import { ExpectedRevision } from "../schema/document.ts";
import { Id, Markdown, TagNames, Title } from "../schema/text.ts";

/** The fields that may change, by the names that assistants use. */
const fields = ["title", "markdown", "published", "tags", "collectionId", "parentDocumentId"] as const;
const Field = z.enum(fields);

/**
 * Updates a document like `documents.update`, but takes only Markdown and returns the names of the changed fields
 * instead of the body. A new body is an entry of its own in the history. `dryRun` only reports what would change.
 */
export const updateDocumentForAssistants = operation({
  name: "assistants.update",
  summary: "Update a document and list the changes",
  scope: "write",
  capability: "document.edit",
  input: z.strictObject({
    id: Id,
    title: Title.optional(),
    markdown: Markdown.optional(),
    published: z.boolean().optional(),
    tags: TagNames.optional(),
    addTags: TagNames.optional(),
    removeTags: TagNames.optional(),
    collectionId: Id.optional(),
    parentDocumentId: Id.nullable().optional(),
    expectedRevision: ExpectedRevision.optional(),
    dryRun: z.boolean().optional(),
  }),
  output: z.object({ id: z.uuid(), revision: z.int(), changed: z.array(Field), diff: z.string().optional() }),
  queueBy: (request) => request.id,
  prepare: ({ markdown, ...request }, preparation) =>
    prepareUpdate(preparation, { ...request, text: markdown }, "markdown"),
  async run(context, { markdown: _, dryRun, ...request }, { body, index }) {
    requireOneWay(request);
    const { before, change } = await planUpdate(context, request, body);
    const changed = fields.filter((field) => change[field === "markdown" ? "body" : field] !== undefined);
    const { id, revision } = before;
    context.audit.setTarget("document", id);
    if (dryRun || isEmpty(change)) context.audit.unchanged();
    if (dryRun) {
      throw new AnswerAfterRollback(async () => ({
        id,
        revision,
        changed,
        diff: change.body === undefined ? "" : await diffOf(context.actor, before, change.body),
      }));
    }
    if (isEmpty(change)) return { id, revision, changed };
    if (change.body !== undefined && request.expectedRevision === undefined) await requireNobodyTyping(context, before);
    const entry = change.body === undefined ? "run" : "own";
    const saved = await saveUpdate(context, before, change, index, entry);
    return mapAnswer(saved, (after) => ({ id, revision: after.revision, changed }));
  },
});

/** @throws {ServiceError} if the tags are both replaced and edited, or one is both added and removed. */
function requireOneWay({ tags, addTags = [], removeTags = [] }: TagEdits): void {
  if (tags !== undefined && addTags.length + removeTags.length > 0) {
    throw invalid("tags", "Replaces all tags: send either tags, or addTags and removeTags");
  }
  const both = addTags.find((name) => removeTags.includes(name));
  if (both !== undefined) throw invalid("removeTags", `\`${both}\` is in addTags too: send it in one of them`);
}
