import type { KnownOptions } from "./known-blocks.ts";
import { withDefaults } from "./limits.ts";
import { normalizeWithin } from "./normal/document.ts";
import { theReader } from "./read/the-reader.ts";
import { requireTree } from "./shape.ts";
import type { Change, DocJSON } from "./types.ts";

/**
 * The document in normal form, the shape that Markdown can hold, and what was altered for it. A document in normal
 * form comes back as it is: `normalize(normalize(d).doc)` has no changes.
 *
 * @throws CodecError `INVALID_DOC` where the JSON is no document, `INLINE_IMAGE`, `NESTING`, `LIMIT`
 */
export function normalize(doc: DocJSON, { known }: KnownOptions = {}): { doc: DocJSON; changes: readonly Change[] } {
  requireTree(doc, known);
  return normalizeWithin(doc, withDefaults(), theReader.raw, known);
}
