import * as operations from "@kb/core/operations";
import { z } from "zod";
import { DocumentId, guards } from "../fields.ts";
import { noChanges } from "../no-changes.ts";
import { type Tool, tool } from "../tool.ts";

const Edited = z.object({ id: z.string(), revision: z.int(), diff: z.string().optional() });
const EditedSection = Edited.extend({ heading: z.string() });

type Answer = { id: string; revision: number } | { revision: number; diff: string };

/** The body is never echoed: who needs it reads it. A dry run shows the difference. */
function answer(result: Answer, id: string): z.input<typeof Edited> {
  const { revision } = result;
  return "diff" in result ? { id, revision, diff: result.diff } : { id, revision };
}

function fragment(markdown: string): string {
  if (markdown.trim() === "") throw noChanges("markdown", "The Markdown is empty.");
  return markdown;
}

const append = tool({
  name: "append_to_document",
  title: "Append to a document",
  description: "Adds Markdown at the end of a document, as blocks of its own.",
  effect: "adds",
  operation: operations.editDocument,
  input: z.strictObject({ id: DocumentId, markdown: z.string(), ...guards }),
  output: Edited,
  request: (input) => ({ ...input, op: "append" as const, markdown: fragment(input.markdown) }),
  reply: (result, { id }) => answer(result, id),
});

const prepend = tool({
  name: "prepend_to_document",
  title: "Prepend to a document",
  description: "Adds Markdown at the top of a document, as blocks of its own.",
  effect: "adds",
  operation: operations.editDocument,
  input: z.strictObject({ id: DocumentId, markdown: z.string(), ...guards }),
  output: Edited,
  request: (input) => ({ ...input, op: "prepend" as const, markdown: fragment(input.markdown) }),
  reply: (result, { id }) => answer(result, id),
});

const insertAfterHeading = tool({
  name: "insert_after_heading",
  title: "Insert after a heading",
  description: "Adds Markdown right below the first heading with this text (case and outer spaces do not matter).",
  effect: "adds",
  operation: operations.editDocument,
  input: z.strictObject({ id: DocumentId, heading: z.string(), markdown: z.string(), ...guards }),
  output: EditedSection,
  request: (input) => ({ ...input, op: "insert_after_heading" as const, markdown: fragment(input.markdown) }),
  reply: (result, { id, heading }) => ({ ...answer(result, id), heading: heading.trim() }),
});

const replaceSection = tool({
  name: "replace_section",
  title: "Replace a section",
  description:
    "Replaces what stands below a heading, up to the next heading of the same or a higher level. The heading stays: leave it out of the Markdown.",
  effect: "sets",
  operation: operations.editDocument,
  input: z.strictObject({ id: DocumentId, heading: z.string(), markdown: z.string(), ...guards }),
  output: EditedSection,
  request: (input) => ({ ...input, op: "replace_section" as const }),
  reply: (result, { id, heading }) => ({ ...answer(result, id), heading: heading.trim() }),
});

const replaceText = tool({
  name: "replace_text",
  title: "Replace a text",
  description: "Replaces a text that occurs exactly once. Both texts are plain text, as a reader sees it.",
  effect: "rewrites",
  operation: operations.editDocument,
  input: z.strictObject({ id: DocumentId, oldText: z.string(), newText: z.string(), ...guards }),
  output: Edited,
  request: (input) => {
    if (input.oldText === input.newText) throw noChanges("newText", "Both texts are the same.");
    return { ...input, op: "replace_text" as const };
  },
  reply: (result, { id }) => answer(result, id),
});

/** The targeted edits: what they do not touch stays as it is, node for node. */
export const editTools: readonly Tool[] = [append, prepend, insertAfterHeading, replaceSection, replaceText];
