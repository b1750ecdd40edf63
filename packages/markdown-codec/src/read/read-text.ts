import { CodecError } from "../error.ts";
import { checkBytes, withDefaults } from "../limits.ts";
import { cleanText } from "../normal/text.ts";
import { Reader } from "../read.ts";
import { requireText } from "../shape.ts";
import type { Tokenizer } from "../syntax/tokenizer.ts";
import type { DocJSON, ParseOptions } from "../types.ts";

const BYTE_ORDER_MARK = /^\ufeff/;

/** Reads Markdown with a tokenizer of this package. @throws CodecError as `parseMarkdown` */
export function readText(text: string, options: ParseOptions, tokenizer: Tokenizer): DocJSON {
  requireText(text, "the Markdown");
  const limits = withDefaults(options.limits);
  checkBytes(text, limits);
  const source = cleanText(text.replace(BYTE_ORDER_MARK, ""));
  // A text may have what it writes itself, and once more as much by references.
  const addresses = source.length + Math.max(source.length, limits.refExpansion);
  const reader = new Reader({ tokenizer, limits, addresses });
  const doc = reader.read(source);
  if (options.strict && reader.wideTableLine !== undefined) {
    const message = "In strict mode: a row of the table has more cells than the table has columns.";
    throw new CodecError("UNSUPPORTED", message, { line: reader.wideTableLine });
  }
  return doc;
}
