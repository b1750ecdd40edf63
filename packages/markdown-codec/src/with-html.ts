import type { Node } from "prosemirror-model";
import { CodecError } from "./error.ts";
import { withDefaults } from "./limits.ts";
import { normalize as normalizePlain } from "./normalize.ts";
import { parseMarkdown as parsePlain } from "./parse.ts";
import { serializeMarkdown as serializePlain } from "./serialize.ts";
import type { Change, DocJSON, ParseOptions, SerializeOptions } from "./types.ts";
import { fold } from "./with-html/fold.ts";
import { unfold } from "./with-html/unfold.ts";
import { toDoc } from "./write/document.ts";

export { type HtmlLayer, html } from "./with-html/layer.ts";

/**
 * `parseMarkdown` of the main entry, which also reads what only HTML can say, as `serializeMarkdown` of this entry writes it: tables with
 * blocks in cells, spans, widths and headers anywhere; `textAlign` of paragraphs and headings; `width` and `height` of images.
 *
 * @throws CodecError as `parseMarkdown` of the main entry
 */
export function parseMarkdown(text: string, options: ParseOptions = {}): DocJSON {
  return fold(parsePlain(text, options), withDefaults(options.limits));
}

/**
 * `serializeMarkdown` of the main entry, which writes as HTML what Markdown has no syntax for, instead of leaving it out. Every other
 * reader of Markdown shows it, and reads Markdown in the cells.
 *
 * @throws CodecError as `serializeMarkdown` of the main entry
 */
export function serializeMarkdown(doc: DocJSON | Node, options: SerializeOptions = {}): string {
  const { doc: unfolded, changes, pathOf } = unfold(toDoc(doc));
  const [change] = changes;
  if (options.strict && change) throw new CodecError("UNSUPPORTED", `In strict mode: ${change.message}.`, change);
  return withPaths(pathOf, () => serializePlain(unfolded, options));
}

/**
 * `normalize` of the main entry, which keeps what the `serializeMarkdown` of this entry can write.
 *
 * @throws CodecError as `normalize` of the main entry
 */
export function normalize(doc: DocJSON): { doc: DocJSON; changes: readonly Change[] } {
  const { doc: unfolded, changes, pathOf } = unfold(toDoc(doc));
  return withPaths(pathOf, () => {
    const normal = normalizePlain(unfolded);
    const others = normal.changes.map((change) => ({ ...change, path: pathOf(change.path) }));
    return { doc: fold(normal.doc, withDefaults()), changes: [...changes, ...others] };
  });
}

// Errors name places of the unfolded document: nobody else has seen that.
function withPaths<Result>(pathOf: ReturnType<typeof unfold>["pathOf"], run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof CodecError) || error.path === undefined) throw error;
    throw new CodecError(error.code, error.message, { line: error.line, path: pathOf(error.path) });
  }
}
