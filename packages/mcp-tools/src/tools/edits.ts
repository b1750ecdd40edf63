import * as operations from "@kb/core/operations";
import { z } from "zod";
import { DocumentId, guards } from "../fields.ts";
import { noChanges } from "../no-changes.ts";
import { type Tool, tool } from "../tool.ts";

const Edited = z.object({ id: z.string(), revision: z.int(), diff: z.string().optional() });
const EditedSection = Edited.extend({ heading: z.string() });

type EditResult = { id: string; revision: number } | { revision: number; diff: string };

/** Returns the new revision, or the diff of a dry run. Never returns the body, which would cost tokens. */
function replyOf(result: EditResult, id: string): z.input<typeof Edited> {
  const { revision } = result;
  return "diff" in result ? { id, revision, diff: result.diff } : { id, revision };
}

function requireMarkdown(markdown: string): string {
  if (markdown.trim() === "") throw noChanges("markdown", "The Markdown is empty.");
  return markdown;
}

const added = z.string().meta({ description: "List items and table rows join a list or table beside them" });
const replaced = z.string().meta({ description: "The new content" });
const heading = z
  .string()
  .meta({ description: "Its text in any case, `## text` or `#anchor`; the first match counts" });

const append = tool({
  name: "append_to_document",
  title: "Append to a document",
  description: "Adds Markdown at the end.",
  effect: "adds",
  operation: operations.editDocument,
  input: z.strictObject({ id: DocumentId, markdown: added, ...guards }),
  output: Edited,
  request: (input) => ({ ...input, op: "append" as const, markdown: requireMarkdown(input.markdown) }),
  reply: (result, { id }) => replyOf(result, id),
});

const prepend = tool({
  name: "prepend_to_document",
  title: "Prepend to a document",
  description: "Adds Markdown at the top.",
  effect: "adds",
  operation: operations.editDocument,
  input: z.strictObject({ id: DocumentId, markdown: added, ...guards }),
  output: Edited,
  request: (input) => ({ ...input, op: "prepend" as const, markdown: requireMarkdown(input.markdown) }),
  reply: (result, { id }) => replyOf(result, id),
});

const insertAfterHeading = tool({
  name: "insert_after_heading",
  title: "Insert after a heading",
  description: "Adds Markdown directly below a heading.",
  effect: "adds",
  operation: operations.editDocument,
  input: z.strictObject({ id: DocumentId, heading, markdown: added, ...guards }),
  output: EditedSection,
  request: (input) => ({ ...input, op: "insert_after_heading" as const, markdown: requireMarkdown(input.markdown) }),
  reply: (result, { id, heading }) => ({ ...replyOf(result, id), heading: heading.trim() }),
});

const replaceSection = tool({
  name: "replace_section",
  title: "Replace a section",
  description:
    "Replaces what is below a heading, up to the next heading of the same or a higher level. The heading itself stays.",
  effect: "sets",
  operation: operations.editDocument,
  input: z.strictObject({ id: DocumentId, heading, markdown: replaced, ...guards }),
  output: EditedSection,
  request: (input) => ({ ...input, op: "replace_section" as const }),
  reply: (result, { id, heading }) => ({ ...replyOf(result, id), heading: heading.trim() }),
});

type Replacement = { readonly oldText?: string | undefined; readonly newText?: string | undefined };

function requireChange(input: Replacement & { readonly edits?: readonly Replacement[] | undefined }): void {
  const { edits = [input] } = input;
  const isSame = ({ oldText, newText }: Replacement): boolean => oldText !== undefined && oldText === newText;
  if (edits.length > 0 && edits.every(isSame)) throw noChanges("newText", "oldText and newText are the same.");
}

const replaceText = tool({
  name: "replace_text",
  title: "Replace text",
  description: "Replaces text that occurs exactly once; what stays of it keeps its links and marks.",
  effect: "rewrites",
  operation: operations.editDocument,
  input: z.strictObject({
    id: DocumentId,
    oldText: z
      .string()
      .optional()
      .meta({ description: "As get_document shows it, over any number of lines, or plain" }),
    newText: z.string().optional().meta({ description: "Markdown" }),
    edits: z
      .array(z.strictObject({ oldText: z.string(), newText: z.string() }))
      .optional()
      .meta({ description: "Instead: up to 100, all or none, each looked for in the document as it is now" }),
    ...guards,
  }),
  output: Edited,
  request: (input) => {
    requireChange(input);
    return { ...input, op: "replace_text" as const };
  },
  reply: (result, { id }) => replyOf(result, id),
});

/** The targeted edits, which leave the rest of the document unchanged, node for node. */
export const editTools: readonly Tool[] = [append, prepend, insertAfterHeading, replaceSection, replaceText];
