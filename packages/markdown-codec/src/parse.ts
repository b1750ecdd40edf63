import { CodecError } from "./error.ts";
import { checkBytes, withDefaults } from "./limits.ts";
import { cleanText } from "./normal/text.ts";
import { Reader } from "./read.ts";
import { watchReferences } from "./syntax/references.ts";
import type { DocJSON, ParseOptions } from "./types.ts";

const BYTE_ORDER_MARK = /^\ufeff/;

/**
 * Reads Markdown into a document in normal form. Any text is readable: what is no markup is text.
 *
 * @throws CodecError `INLINE_IMAGE` for an image as a `data:` URL, `NESTING`, `LIMIT`, each with its line where it has
 *   one; `UNSUPPORTED` in strict mode
 */
export function parseMarkdown(text: string, options: ParseOptions = {}): DocJSON {
  const limits = withDefaults(options.limits);
  checkBytes(text, limits);
  const source = cleanText(text.replace(BYTE_ORDER_MARK, ""));
  // What a text writes itself it may have, and once more as much by references.
  const reader = new Reader(limits, source.length + Math.max(source.length, limits.refExpansion));
  if (!options.strict) return reader.read(source);
  let unused: ReadonlySet<string> = new Set();
  const doc = reader.read(source, (references) => {
    unused = watchReferences(references);
  });
  const [label] = unused;
  if (label === undefined) return doc;
  throw new CodecError("UNSUPPORTED", `In strict mode: nothing uses the definition of the link [${label}].`);
}
