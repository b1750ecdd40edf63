import { pageHtml } from "./html/page.ts";
import type { DocJSON, HtmlOptions } from "./types.ts";

export { escapeHtml } from "./html/escape.ts";
export { isMathAttribute, isMathElement } from "./html/mathml.ts";
export type { MathFault, MathNode, MathReader } from "./types.ts";
export { isSafeUrl } from "./url.ts";

/**
 * The document as HTML, for a page or a mail. It is safe by construction: every text and every attribute is escaped,
 * addresses have to be relative or of an allowed scheme, and no HTML of the author comes through. Only headings have
 * ids, and footnotes (`fn-…`, `fnref-…`); no id occurs twice.
 *
 * @throws CodecError `INVALID_DOC` for a node of unknown type, `NESTING`
 */
export function toHtml(doc: DocJSON, options: HtmlOptions = {}): string {
  return pageHtml(doc, options);
}
