import {
  append,
  type DocJSON,
  headings,
  insertAfterHeading,
  prepend,
  replaceSection,
  replaceText,
  replaceTexts,
} from "markdown-codec";
import { ServiceError } from "../errors.ts";
import { reading, requireSize, withServiceErrors } from "./body.ts";
import { type SetTask, setTask } from "./set-task.ts";

/** A targeted edit, as data: it may be applied in another thread. */
export type Edit =
  | { readonly op: "append" | "prepend"; readonly markdown: string }
  | { readonly op: "insert_after_heading" | "replace_section"; readonly heading: string; readonly markdown: string }
  | ReplaceText
  | SetTask;

type Replacement = { readonly oldText: string; readonly newText: string };

/** One replacement, or several: either all or none of them are made. */
type ReplaceText = { readonly op: "replace_text" } & (Replacement | { readonly edits: readonly Replacement[] });

/**
 * Applies an edit; what it does not touch stays as it is, node for node.
 * @throws {ServiceError} `heading_not_found`, `text_not_found`, `text_ambiguous`, `validation_error` where new text
 * would change the Markdown around it, and those of `parseBody`
 */
export function editBody(content: DocJSON, edit: Edit): DocJSON {
  if (edit.op === "replace_text") return withReplacements(content, edit);
  if (edit.op === "set_task") return setTask(content, edit);
  requireSize(edit.markdown);
  return "heading" in edit
    ? editAtHeading(content, edit.heading, () => withFragment(content, edit))
    : withFragment(content, edit);
}

function withReplacements(content: DocJSON, edit: ReplaceText): DocJSON {
  if ("edits" in edit) return withServiceErrors("edits", () => replaceTexts(content, edit.edits, reading));
  return withServiceErrors("", () => replaceText(content, edit.oldText, edit.newText, reading));
}

/** The edits that insert Markdown. */
type Insertion = Exclude<Edit, { readonly op: "replace_text" | "set_task" }>;

function withFragment(content: DocJSON, edit: Insertion): DocJSON {
  return withServiceErrors("markdown", () => {
    switch (edit.op) {
      case "append":
        return append(content, edit.markdown, reading);
      case "prepend":
        return prepend(content, edit.markdown, reading);
      case "insert_after_heading":
        return insertAfterHeading(content, edit.heading, edit.markdown, reading);
      case "replace_section":
        return replaceSection(content, edit.heading, edit.markdown, reading);
    }
  });
}

/** At most this many headings are listed when the wanted one does not exist, each as it can be named. */
const maxListedHeadings = 50;

/** Runs work that looks for a heading. @throws {ServiceError} `heading_not_found`, with the headings that exist */
export function editAtHeading<T>(content: DocJSON, heading: string, run: () => T): T {
  try {
    return withServiceErrors("heading", run);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "heading_not_found") throw error;
    const named = headings(content).map(({ text, anchor, repeated }) => (repeated ? anchor : text));
    const message = `No heading reads \`${heading.trim()}\`.`;
    throw new ServiceError("heading_not_found", message, {
      details: [{ path: "heading", message, headings: named.slice(0, maxListedHeadings), count: named.length }],
    });
  }
}
