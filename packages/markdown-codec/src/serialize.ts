import type { Node } from "prosemirror-model";
import { CodecError } from "./error.ts";
import { withDefaults } from "./limits.ts";
import { definedFootnotes, normalizeWithin } from "./normalize.ts";
import type { DocJSON, NodeJSON, SerializeOptions } from "./types.ts";
import { BlockWriter } from "./write/block.ts";
import { isEmptyParagraph } from "./write/list.ts";

/**
 * Writes a document as Markdown that reads back as the same document (its normal form, see `normalize`). A document
 * that is not empty ends with a line feed. The input is JSON or a ProseMirror node of any schema with these names.
 *
 * @throws CodecError `INVALID_DOC`, `INLINE_IMAGE`, `NESTING`, `LIMIT`; in strict mode `UNSUPPORTED` where something
 *   has to be altered
 */
export function serializeMarkdown(doc: DocJSON | Node, options: SerializeOptions = {}): string {
  const json = toDoc(doc);
  const writer = new BlockWriter(definedFootnotes(json), options.emit);
  // A block is written as soon as it is in normal form: it is looked at twice while it is near.
  const { doc: normal, changes } = normalizeWithin(json, withDefaults(options.limits), (block) => writer.add(block));
  const [change] = changes;
  if (options.strict && change) throw new CodecError("UNSUPPORTED", `In strict mode: ${change.message}.`, change);
  // What says nothing is written as nothing.
  if (normal.content.length === 1 && normal.content.every(isEmptyParagraph)) return "";
  writer.out.push("");
  return writer.out.join("\n");
}

function toDoc(doc: DocJSON | Node): DocJSON {
  if (!("toJSON" in doc)) return doc;
  const json: NodeJSON = doc.toJSON();
  return { type: "doc", content: json.content ?? [] };
}
