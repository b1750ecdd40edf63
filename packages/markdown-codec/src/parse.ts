import { readText } from "./read/read-text.ts";
import { theTokenizer } from "./syntax/the-tokenizer.ts";
import type { DocJSON, ParseOptions } from "./types.ts";

/**
 * Reads Markdown into a document in normal form. Any text is readable: what is no markup is text.
 *
 * @throws CodecError `INVALID_DOC` for what is no string, `INLINE_IMAGE` for an image as a `data:` URL, `NESTING`, `LIMIT`, each with its line where it has
 *   one; `UNSUPPORTED` in strict mode
 */
export function parseMarkdown(text: string, options: ParseOptions = {}): DocJSON {
  return readText(text, options, theTokenizer(options.cjkFriendly));
}
