import { stepsBetween, undoChange } from "@kb/live";
import { type DocJSON, normalize } from "markdown-codec";
import { type Body, bodyOf, type Labels, requireSize, withIndex, withServiceErrors } from "./body.ts";

/** A body without an earlier change of it; absent where nothing was undone. */
export type UndoneBody = {
  readonly body?: Body | undefined;
  /** Numbers of places of the change that were undone, and that were left because they were changed again since. */
  readonly undone: number;
  readonly left: number;
};

/** Stored contents as JSON text: of the document, and before and after the change to undo. */
type Input = {
  readonly content: string;
  readonly markdown: string;
  readonly before: string;
  readonly after: string;
  readonly labels?: Labels;
  readonly savedVersion?: number | undefined;
};

/**
 * Takes a change back in a stored body; with a version of its log, also as steps.
 * @throws {ServiceError} `payload_too_large` where deleted text that returns has no room any more
 */
export function undoneBody({ content, markdown, before, after, labels, savedVersion }: Input): UndoneBody {
  const current = readStored(content);
  const change = { before: readStored(before), after: readStored(after), current };
  const { content: written, undone, left } = undoChange(change);
  if (undone === 0) return { undone, left };
  const undoneContent = withServiceErrors("content", () => normalize(written).doc);
  const body = bodyOf(undoneContent);
  requireSize(body.markdown, markdown);
  const steps =
    savedVersion === undefined ? {} : { change: { savedVersion, steps: stepsBetween(current, undoneContent) } };
  return { body: { ...withIndex(body, labels), ...steps }, undone, left };
}

/** Parses stored content, which was written from a validated document. */
const readStored = (content: string): DocJSON => JSON.parse(content);
