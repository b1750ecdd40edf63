import type { Node } from "prosemirror-model";
import { CodecError } from "../error.ts";
import type { KnownBlocks, KnownOptions } from "../known-blocks.ts";
import { withDefaults } from "../limits.ts";
import { definedFootnotes, normalizeWithin } from "../normal/document.ts";
import { requireTree } from "../shape.ts";
import type { DocJSON, NodeJSON, SerializeOptions } from "../types.ts";
import { BlockWriter } from "./block.ts";
import { hasNoText } from "./list.ts";
import type { ReaderAccess } from "./reader-access.ts";

/** Writes a document for this reader. @throws CodecError as `serializeMarkdown` */
export function writeDocument(
  doc: DocJSON | Node,
  options: SerializeOptions & KnownOptions,
  reader: ReaderAccess,
): string {
  const { emit, known } = options;
  const json = toDoc(doc, known);
  const footnotes = definedFootnotes(json);
  const writer = new BlockWriter(footnotes, reader, emit);
  // A block is written as soon as it is in normal form: it is looked at twice while it is near.
  const limits = withDefaults(options.limits);
  const add = (block: NodeJSON): void => (known ? known.write(block, writer, emit) : writer.add(block));
  const { doc: normal, changes } = normalizeWithin(json, limits, reader.raw, known, add, footnotes);
  const [change] = changes;
  if (options.strict && change) throw new CodecError("UNSUPPORTED", `In strict mode: ${change.message}.`, change);
  // An empty document is written as nothing.
  if (hasNoText(normal.content)) return "";
  writer.out.push("");
  return writer.out.join("\n");
}

/** The document as JSON whose shape is that of a tree of nodes. @throws CodecError `INVALID_DOC`, `NESTING` */
export function toDoc(doc: DocJSON | Node, known?: KnownBlocks): DocJSON {
  if (isProseMirrorNode(doc)) {
    const json: NodeJSON = doc.toJSON();
    return { type: "doc", content: json.content ?? [] };
  }
  requireTree(doc, known);
  return doc;
}

function isProseMirrorNode(doc: DocJSON | Node): doc is Node {
  return typeof doc === "object" && doc !== null && "toJSON" in doc;
}
