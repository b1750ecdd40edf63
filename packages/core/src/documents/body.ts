import {
  CodecError,
  type DocJSON,
  normalize,
  outline,
  parseMarkdown,
  serializeMarkdown,
  toPlainText,
  validate,
} from "markdown-codec";
import { type ErrorDetail, ServiceError } from "../errors.ts";
import { maxMarkdownLength } from "../schema/text.ts";

/** A body in all its forms; every one derives from `content`. */
export type Body = {
  readonly content: DocJSON;
  readonly markdown: string;
  readonly text: string;
  readonly headings: readonly string[];
};

/** Blocks and pieces of text of a body at most: what a page needs, and not what would keep everybody else waiting. */
const limits = { nodes: 200_000 };

/** Derives the other forms from a document in normal form. @throws {ServiceError} `payload_too_large` for too many blocks */
export function bodyOf(content: DocJSON): Body {
  const markdown = translating("text", () => serializeMarkdown(content, { limits }));
  return { content, markdown, text: toPlainText(content), headings: outline(content).map((heading) => heading.text) };
}

/** Reads Markdown of a caller. @throws {ServiceError} `payload_too_large`, `inline_image_rejected`, `validation_error` */
export function parseBody(markdown: string, path = "text"): DocJSON {
  requireSize(markdown);
  return translating(path, () => parseMarkdown(markdown, { limits }));
}

/** What a write asks of the body: `content` takes precedence; neither means that the body is not touched. */
export function prepareBody(input: { text?: string | undefined; content?: unknown }): Body | undefined {
  if (input.content !== undefined) return bodyFromJson(input.content);
  if (input.text !== undefined) return bodyOf(parseBody(input.text));
  return undefined;
}

function bodyFromJson(json: unknown): Body {
  const result = validate(json, { limits });
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
  const body = bodyOf(translating("content", () => normalize(result.doc).doc));
  requireSize(body.markdown);
  return body;
}

/** Runs codec code and gives its errors the service's words. */
export function translating<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof CodecError) throw translated(path, error);
    throw error;
  }
}

function translated(path: string, error: CodecError): ServiceError {
  const place = error.line === undefined ? {} : { line: error.line };
  const details = [{ path, message: error.message, ...place }];
  switch (error.code) {
    case "INLINE_IMAGE":
      return inlineImage(details);
    case "HEADING_NOT_FOUND":
      return new ServiceError("heading_not_found", error.message, { details });
    case "TEXT_NOT_FOUND":
      return new ServiceError((error.count ?? 0) > 1 ? "text_ambiguous" : "text_not_found", error.message, {
        details: [{ path, message: error.message, count: error.count ?? 0 }],
      });
    case "LIMIT":
      return new ServiceError("payload_too_large", error.message, { details, cause: error });
    default:
      return new ServiceError("validation_error", `${path}: ${error.message}`, { details, cause: error });
  }
}

function inlineImage(details: readonly ErrorDetail[]): ServiceError {
  return new ServiceError(
    "inline_image_rejected",
    "Inline base64 images are not accepted: upload the image, or refer to it by an https URL.",
    { details },
  );
}

/**
 * What counts is what was sent: the normal form of a body may be longer, and what is stored is never too long to be kept.
 * The last line feed, which the normal form adds, does not count. `before` is the Markdown that an edit began with.
 * @throws {ServiceError} `payload_too_large`
 */
export function requireSize(markdown: string, before = ""): void {
  const length = markdown.length - (markdown.endsWith("\n") ? 1 : 0);
  if (length <= maxMarkdownLength || markdown.length <= before.length) return;
  throw new ServiceError("payload_too_large", `A body has at most ${maxMarkdownLength} characters of Markdown.`);
}
