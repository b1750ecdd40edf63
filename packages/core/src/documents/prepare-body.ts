import { invalid } from "../errors.ts";
import type { Preparation } from "../operation.ts";
import { isLarge, offload } from "../threads/offload.ts";
import type { Body, Labels } from "./body.ts";
import { labelsOf, type PreparedIndex } from "./search-entry.ts";
import { readLabels, readStoredBody, type StoredBody } from "./stored-body.ts";
import { type TagEdits, tagsAfter } from "./tag-edits.ts";

/** The body that a write sends: Markdown or editor JSON, of which the latter takes precedence. */
type BodyInput = { readonly text: string; readonly content?: unknown };

/**
 * Builds the body that a write sends. `labels` are the title and tags under which the document
 * will be found; a large body is indexed with them in its thread.
 * @throws {ServiceError} `payload_too_large`, `inline_image_rejected`, `validation_error`, `too_complex`, `unavailable`
 */
export async function prepareBody(
  { actor }: Preparation,
  { text, content }: BodyInput,
  labels: () => Promise<Labels | undefined>,
  path = "text",
): Promise<Body> {
  if (content !== undefined) {
    const json = jsonOf(content);
    const known = isLarge(json.length) ? await labels() : undefined;
    return offload(actor.userId, "bodyFromContent", json.length, { content: json, ...(known && { labels: known }) });
  }
  const known = isLarge(text.length) ? await labels() : undefined;
  return offload(actor.userId, "bodyFromMarkdown", text.length, {
    markdown: text,
    path,
    ...(known && { labels: known }),
  });
}

/** @throws {ServiceError} `validation_error` for content whose nesting exceeds the stack: no document comes near it */
function jsonOf(content: unknown): string {
  try {
    return JSON.stringify(content);
  } catch (error) {
    if (error instanceof RangeError) throw invalid("content", "Nested too deeply");
    throw error;
  }
}

/** The fields of an update that the search index holds. */
type Update = TagEdits & {
  readonly id: string;
  readonly text?: string | undefined;
  readonly content?: unknown;
  readonly title?: string | undefined;
};

/** The body and index that were prepared for an update before its transaction. */
export type PreparedUpdate = {
  readonly body?: Body | undefined;
  /** Of a large stored body whose labels change. */
  readonly index?: PreparedIndex | undefined;
};

/**
 * Prepares an update: its body, and from the second attempt on, the search index of a large body whose title or tags change. A
 * document that the caller may not see prepares nothing; the operation then answers that it does not exist.
 */
export async function prepareUpdate(preparation: Preparation, update: Update, path?: string): Promise<PreparedUpdate> {
  const { actor, attempt, service } = preparation;
  const after = (now: Labels): Labels =>
    labelsOf({ title: update.title ?? now.title, tags: tagsAfter(now.tags, update) });
  const labels = async (): Promise<Labels | undefined> => {
    const now = await readLabels(service.database, actor, update.id);
    return now === null ? undefined : after(now);
  };
  const { text = "", content } = update;
  if (update.text !== undefined || content !== undefined) {
    return { body: await prepareBody(preparation, { text, content }, labels, path) };
  }
  if (attempt === 0) return {};
  const stored = await readStoredBody(service.database, actor, update.id);
  if (stored === null) return {};
  return { index: await prepareIndex(actor.userId, stored, after(stored)) };
}

/** Indexes a stored body under other labels before the transaction. `owner` as for `offload`. */
export async function prepareIndex(owner: string, stored: StoredBody, labels: Labels): Promise<PreparedIndex> {
  const { revision, content, text } = stored;
  return { labels, revision, entry: await offload(owner, "indexOfStored", content.length, { content, text, labels }) };
}
