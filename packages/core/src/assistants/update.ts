import { diff } from "markdown-codec";
import { z } from "zod";
import { bodyOf, parseBody } from "../documents/body.ts";
import { isEmpty } from "../documents/save.ts";
import { carryOut, planUpdate } from "../documents/update.ts";
import { operation } from "../operation.ts";
import { ExpectedRevision } from "../schema/document.ts";
import { Id, Markdown, TagNames, Title } from "../schema/text.ts";

/** What changes, by the names that assistants use. */
const fields = ["title", "markdown", "published", "tags", "collectionId", "parentDocumentId"] as const;
const Field = z.enum(fields);

/** As `documents.update`, in Markdown alone: tells what changed, and never the body; `dryRun` only what would. */
export const updateDocumentForAssistants = operation({
  name: "assistants.update",
  summary: "Update a document, and tell what changed",
  scope: "write",
  capability: "document.edit",
  input: z.strictObject({
    id: Id,
    title: Title.optional(),
    markdown: Markdown.optional(),
    published: z.boolean().optional(),
    tags: TagNames.optional(),
    collectionId: Id.optional(),
    parentDocumentId: Id.nullable().optional(),
    expectedRevision: ExpectedRevision.optional(),
    dryRun: z.boolean().optional(),
  }),
  output: z.object({ id: z.uuid(), revision: z.int(), changed: z.array(Field), diff: z.string().optional() }),
  turn: (request) => request.id,
  prepare: ({ markdown }) => (markdown === undefined ? undefined : bodyOf(parseBody(markdown, "markdown"))),
  async run(context, { markdown: _, dryRun, ...request }, body) {
    const { before, change } = await planUpdate(context, request, body);
    const changed = fields.filter((field) => change[field === "markdown" ? "body" : field] !== undefined);
    const { id, revision } = before;
    context.audit.about("document", id);
    if (dryRun || isEmpty(change)) context.audit.nothing();
    if (dryRun)
      return { id, revision, changed, diff: change.body ? diff(before.markdown ?? "", change.body.markdown) : "" };
    if (isEmpty(change)) return { id, revision, changed };
    return { id, revision: (await carryOut(context, before, change)).revision, changed };
  },
});
