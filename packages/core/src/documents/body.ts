import {
  CodecError,
  type DocJSON,
  diff,
  normalize,
  outline,
  parseMarkdown,
  serializeMarkdown,
  toPlainText,
  validate,
} from "markdown-codec";
import { type ErrorDetail, ServiceError } from "../errors.ts";
import { maxMarkdownLength } from "../schema/max-markdown-length.ts";
import { searchableAddresses, searchableOf } from "../search/addresses.ts";
import { indexDocument, type KnownWords, type SearchIndex } from "../search/index-document.ts";
import type { KnownForms } from "./known-forms.ts";

/** Title and tags, which the search index of a document holds beside its body. */
export type Labels = { readonly title: string; readonly tags: readonly string[] };

/** The search index of a body under certain labels; of other labels it is another one. */
export type LabelledIndex = { readonly labels: Labels; readonly entry: SearchIndex };

/** The steps that turn the body at a version of its log into another one, as JSON text; null where they are equal. */
export type ChangeOfBody = { readonly savedVersion: number; readonly steps: string | null };

/** A body in all of its forms; all derive from `content`. */
export type Body = {
  /** Editor JSON in normal form, as text: it goes to the database and between threads without being read. */
  readonly content: string;
  readonly markdown: string;
  readonly text: string;
  readonly headings: readonly string[];
  readonly addresses: readonly string[];
  /** Absent if it has not been computed yet. */
  readonly index?: LabelledIndex | undefined;
  /** Absent where it was not made from a body with a log, or its steps have not been computed yet. */
  readonly change?: ChangeOfBody | undefined;
};

/** The maximum number of nodes in a body. It is more than a page needs, and bounds the time that a body takes. */
export const limits = { nodes: 200_000 };

/** The options with which the service reads every Markdown: emphasis works beside Chinese, Japanese and Korean punctuation. */
export const reading = { limits, cjkFriendly: true };

/**
 * Derives the other forms from a document in normal form.
 * @throws {ServiceError} `payload_too_large` for too many nodes
 */
export function bodyOf(content: DocJSON, labels?: Labels): Body {
  const markdown = withServiceErrors("text", () => serializeMarkdown(content, { limits }));
  const text = toPlainText(content);
  const headings = outline(content).map((heading) => heading.text);
  const addresses = searchableAddresses(content);
  return withIndex({ content: JSON.stringify(content), markdown, text, headings, addresses }, labels);
}

/**
 * Derives the same as `bodyOf` from the next version of a document, with its index, mostly from what is known of the version before. Its
 * content is spelled as the database spells it.
 */
export function nextBodyOf(content: DocJSON, labels: Labels, known: { forms: KnownForms; words: KnownWords }): Body {
  const markdown = withServiceErrors("text", () => serializeMarkdown(content, { limits, known: known.forms.blocks }));
  const blocks = content.content.map((block) => known.forms.of(block));
  const body = {
    content: `{"type": "doc", "content": [${blocks.map(({ json }) => json).join(", ")}]}`,
    markdown,
    text: blocks
      .map(({ lines }) => lines)
      .join("")
      .slice(1),
    headings: blocks.flatMap(({ headings }) => headings),
    addresses: searchableOf(blocks.flatMap(({ addresses }) => addresses)),
  };
  return withIndex(body, labels, known.words);
}

/** Adds the search index to a body, unless there are no labels yet. */
export function withIndex(body: Body, labels: Labels | undefined, words?: KnownWords): Body {
  if (labels === undefined) return body;
  const { headings, text, addresses } = body;
  return { ...body, index: { labels, entry: indexDocument({ ...labels, headings, text, addresses }, words) } };
}

/**
 * Parses Markdown from a caller.
 * @throws {ServiceError} `payload_too_large`, `inline_image_rejected`, `validation_error`
 */
export function parseBody(markdown: string, path = "text"): DocJSON {
  requireSize(markdown);
  return withServiceErrors(path, () => parseMarkdown(markdown, reading));
}

/** Validates and normalizes editor JSON of a caller, given as text. @throws {ServiceError} as `parseBody` */
export function normalizeBody(json: string): DocJSON {
  const result = validate(JSON.parse(json), { limits });
  if (!result.ok) {
    const tooLarge = result.issues.find((issue) => issue.code === "LIMIT");
    if (tooLarge !== undefined) throw new ServiceError("payload_too_large", `content: ${tooLarge.message}`);
    const details: ErrorDetail[] = result.issues.map((issue) => ({
      path: ["content", ...issue.path].join("."),
      message: issue.message,
    }));
    const [first] = details;
    if (result.issues.some((issue) => issue.code === "INLINE_IMAGE")) throw inlineImage(details);
    throw new ServiceError("validation_error", first ? `${first.path}: ${first.message}` : "content: invalid", {
      details,
    });
  }
  return withServiceErrors("content", () => normalize(result.doc).doc);
}

/** Runs codec code and translates its errors into errors of the service. */
export function withServiceErrors<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof CodecError) throw serviceErrorOf(path, error);
    throw error;
  }
}

function serviceErrorOf(field: string, error: CodecError): ServiceError {
  const place = error.line === undefined ? {} : { line: error.line };
  const path = placeOf(field, error);
  const details = [{ path, message: error.message, ...place }];
  switch (error.code) {
    case "INLINE_IMAGE":
      return inlineImage(details);
    case "HEADING_NOT_FOUND":
      return new ServiceError("heading_not_found", error.message, { details });
    case "TEXT_NOT_FOUND":
      return textNotFound(path, error);
    case "LIMIT":
      return new ServiceError("payload_too_large", error.message, { details, cause: error });
    default:
      return new ServiceError("validation_error", `${path}: ${error.message}`, { details, cause: error });
  }
}

function textNotFound(path: string, { message, count = 0, passages = [], edit }: CodecError): ServiceError {
  const about = edit === undefined ? message : `${path}: ${message}`;
  return new ServiceError(count > 1 ? "text_ambiguous" : "text_not_found", about, {
    details: [{ path, message, count, passages }],
  });
}

/** The parameter that an error is about. Of a replacement it is the old text where that is not found, else the new one. */
function placeOf(field: string, { code, edit }: CodecError): string {
  if (field !== "" && field !== "edits") return field;
  const name = code === "TEXT_NOT_FOUND" ? "oldText" : "newText";
  return edit === undefined ? name : `${field}.${edit}.${name}`;
}

function inlineImage(details: readonly ErrorDetail[]): ServiceError {
  return new ServiceError(
    "inline_image_rejected",
    "Inline base64 images are not accepted. Upload the image, or link to it with an https URL.",
    { details },
  );
}

/**
 * Limits the Markdown that was sent. Its normal form may be longer, but a stored body never becomes too long to be
 * saved again. Ignores the last line feed, which the normal form adds. `before` is the Markdown from which an edit
 * began.
 * @throws {ServiceError} `payload_too_large`
 */
export function requireSize(markdown: string, before = ""): void {
  const length = markdown.length - (markdown.endsWith("\n") ? 1 : 0);
  if (length <= maxMarkdownLength || markdown.length <= before.length) return;
  throw new ServiceError("payload_too_large", `A body may have at most ${maxMarkdownLength} characters of Markdown.`);
}

/** Longest diff in a response, in characters. */
const maxDiffLength = 64 * 1024;

/** Returns a length at most `length` that divides no character: half of one could not be sent. */
function wholeCharacters(text: string, length: number): number {
  return (text.codePointAt(length - 1) ?? 0) > 0xffff ? length - 1 : length;
}

/** Returns the unified diff of two Markdown bodies; a longer one ends in a line that says how much is left out. */
export function boundedDiff(before: string, after: string): string {
  const whole = diff(before, after);
  if (whole.length <= maxDiffLength) return whole;
  const end = whole.lastIndexOf("\n", maxDiffLength);
  const shown = whole.slice(0, end < 0 ? wholeCharacters(whole, maxDiffLength) : end);
  return `${shown}\n… the diff is cut here: ${whole.length - shown.length} more characters`;
}
