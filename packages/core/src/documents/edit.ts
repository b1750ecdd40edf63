import { z } from "zod";
import type { WriteContext } from "../context.ts";
import { mapAnswer } from "../final-change.ts";
import { operation, type Preparation } from "../operation.ts";
import { AnswerAfterRollback, PrepareAgain } from "../prepare-again.ts";
import { Document, ExpectedRevision } from "../schema/document.ts";
import { Id, Markdown, Text } from "../schema/text.ts";
import { isLarge, offload } from "../threads/offload.ts";
import { tasks } from "../threads/tasks.ts";
import { requireAccess } from "./access.ts";
import { type Body, parseBody } from "./body.ts";
import type { Edit } from "./edit-body.ts";
import { lockDocument } from "./lock.ts";
import { diffOf, requireRevision } from "./revision-guard.ts";
import { type DocumentWithFacts, presentDocument, presentUnchanged } from "./row.ts";
import { effectiveChange, isEmpty, saveDocument } from "./save.ts";
import { labelsOf } from "./search-entry.ts";
import { readStoredBody } from "./stored-body.ts";

const maxHeadingLength = 1_000;
/** A heading, as edits name it: its text, its line (`## text`) or its address (`#anchor`). */
export const Heading = Text.refine((heading) => heading.trim() !== "", "Must not be empty")
  .refine((heading) => heading.length <= maxHeadingLength, `At most ${maxHeadingLength} characters`)
  .meta({ maxLength: maxHeadingLength });
const common = { id: Id, expectedRevision: ExpectedRevision.optional(), dryRun: z.boolean().optional() };

const OldText = Text.refine((text) => text.length > 0, "Must not be empty").meta({ minLength: 1 });
/** At most this many texts are replaced by one call. */
const maxReplacements = 100;

/** A replacement is `oldText` and `newText`, or the list `edits`. */
function requireOneForm(
  input: { oldText?: string | undefined; newText?: string | undefined; edits?: readonly unknown[] | undefined },
  context: z.RefinementCtx,
): void {
  const { oldText, newText, edits } = input;
  const issue = (path: string, message: string): void => context.addIssue({ code: "custom", path: [path], message });
  if (edits === undefined) {
    if (oldText === undefined) issue("oldText", "Required, unless `edits` is given");
    if (newText === undefined) issue("newText", "Required, unless `edits` is given");
  } else if (oldText !== undefined || newText !== undefined) {
    issue("edits", "Give either `edits`, or `oldText` and `newText`");
  }
}

const input = z.discriminatedUnion("op", [
  z.strictObject({ ...common, op: z.literal("append"), markdown: Markdown }),
  z.strictObject({ ...common, op: z.literal("prepend"), markdown: Markdown }),
  z.strictObject({ ...common, op: z.literal("insert_after_heading"), heading: Heading, markdown: Markdown }),
  z.strictObject({ ...common, op: z.literal("replace_section"), heading: Heading, markdown: Markdown }),
  z
    .strictObject({
      ...common,
      op: z.literal("replace_text"),
      oldText: OldText.optional(),
      newText: Text.optional(),
      edits: z
        .array(z.strictObject({ oldText: OldText, newText: Text }))
        .min(1)
        .max(maxReplacements)
        .optional(),
    })
    .superRefine(requireOneForm),
  z
    .strictObject({
      ...common,
      op: z.literal("set_task"),
      task: z.int().min(0),
      text: Text.optional(),
      checked: z.boolean(),
    })
    .refine(({ text, expectedRevision }) => text !== undefined || expectedRevision !== undefined, {
      path: ["text"],
      message: "Required, unless `expectedRevision` is given",
    }),
]);

type Request = z.output<typeof input>;

/** The result of a dry run: the difference as unified Markdown lines, and the revision from which it was made. */
export const EditPreview = z.object({ diff: z.string(), revision: z.int() }).meta({ id: "EditPreview" });

/**
 * Edits a part of the structured document and leaves all other nodes as they are. Works under the row's lock, so that
 * no concurrent edit is lost.
 */
export const editDocument = operation({
  name: "documents.edit",
  summary: "Edit a part of a document",
  description:
    "`append`, `prepend`, `insert_after_heading`, `replace_section` and `replace_text` leave everything else as it is. Items and table rows join a list or a table that they come to stand beside. `heading` is the text of a heading, its line (`## text`) or its address (`#anchor`); Markdown for `replace_section` may begin with the heading of its section. `oldText` is looked for in the Markdown as reads show it, then in the plain text, and must occur exactly once; `newText` is Markdown, and what stays of the old text keeps its marks. `edits` replaces up to 100 texts, all or none. `set_task` checks or unchecks the task at a place among all tasks, from 0; send its `text`, `expectedRevision`, or both, so that no other task is set. `dryRun` returns the difference and changes nothing.",
  scope: "write",
  capability: "document.edit",
  confirmsInTransaction: true,
  input,
  output: z.union([Document, EditPreview]),
  queueBy: (request) => request.id,
  prepare: (request, preparation) => prepareEdit(request, preparation),
  async run(context, request, prepared) {
    const { tx, actor, appUrl } = context;
    const before = requireAccess(actor, "edit", await lockDocument(tx, actor, request.id, wholeBody));
    await requireRevision(context, before, request.expectedRevision);
    const body = await editedBody(context, before, request, prepared);
    if (request.dryRun) {
      throw new AnswerAfterRollback(async () => ({
        diff: await diffOf(actor, before, body),
        revision: before.revision,
      }));
    }
    const change = effectiveChange(before, { body });
    if (isEmpty(change)) {
      context.audit.unchanged();
      return presentUnchanged(before, appUrl);
    }
    return mapAnswer(await saveDocument(context, before, change), (after) => presentDocument(after, appUrl));
  },
});

const wholeBody = { markdown: true, smallContent: true };

/** The body that an edit makes of a large document at one revision. */
type PreparedEdit = { readonly revision: number; readonly body: Body };

function fragmentLength(request: Request): number {
  if (request.op === "set_task") return request.text?.length ?? 0;
  if (request.op !== "replace_text") return request.markdown.length;
  const { oldText = "", newText = "", edits = [{ oldText, newText }] } = request;
  return edits.reduce((sum, edit) => sum + edit.oldText.length + edit.newText.length, 0);
}

/** The edit of a request, as data. */
function editOf(request: Request): Edit {
  if (request.op !== "replace_text") return request;
  const { op, oldText = "", newText = "", edits } = request;
  return edits === undefined ? { op, oldText, newText } : { op, edits };
}

/** Edits a large document in a thread, before the transaction; a small one is edited under its lock, so that no edit waits. */
async function prepareEdit(request: Request, preparation: Preparation): Promise<PreparedEdit | undefined> {
  const { actor, attempt, service } = preparation;
  const isSmall = !isLarge(fragmentLength(request));
  if (isSmall && "markdown" in request) parseBody(request.markdown, "markdown");
  if (isSmall && attempt === 0) return undefined;
  const stored = await readStoredBody(service.database, actor, request.id);
  if (stored === null) return undefined;
  const { content, markdown: before, revision, live } = stored;
  const input = { content, before, edit: editOf(request), labels: labelsOf(stored), savedVersion: live?.[1] };
  const characters = before.length + fragmentLength(request);
  return { revision, body: await offload(actor.userId, "editedBody", characters, input) };
}

async function editedBody(
  { tx, actor }: WriteContext,
  before: DocumentWithFacts,
  request: Request,
  prepared: PreparedEdit | undefined,
): Promise<Body> {
  if (prepared?.revision === before.revision) return prepared.body;
  const markdown = before.markdown ?? "";
  if (isLarge(markdown.length + fragmentLength(request))) throw new PrepareAgain();
  const content = before.smallContent ?? (await readStoredBody(tx, actor, request.id))?.content ?? "";
  return tasks.editedBody({ content, before: markdown, edit: editOf(request) });
}
