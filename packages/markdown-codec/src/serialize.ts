import type { Node } from "prosemirror-model";
import type { KnownOptions } from "./known-blocks.ts";
import { theReader } from "./read/the-reader.ts";
import type { DocJSON, SerializeOptions } from "./types.ts";
import { writeDocument } from "./write/document.ts";

/**
 * Writes a document as Markdown that reads back as the same document (its normal form, see `normalize`). A document
 * that is not empty ends with a line feed. The input is JSON or a ProseMirror node of any schema with these names.
 *
 * @throws CodecError `INVALID_DOC`, `INLINE_IMAGE`, `NESTING`, `LIMIT`; in strict mode `UNSUPPORTED` where something
 *   has to be altered
 */
export function serializeMarkdown(doc: DocJSON | Node, options: SerializeOptions & KnownOptions = {}): string {
  return writeDocument(doc, options, theReader);
}
