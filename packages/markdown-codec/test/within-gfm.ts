import type { DocJSON, NodeJSON } from "../src/index.ts";

/** The document with what GFM has in the place of other constructs: quotes, code and words. Footnotes, too, become words. */
export function withinGfm(doc: DocJSON): DocJSON {
  const content = doc.content.flatMap(said);
  return { type: "doc", content: content.length > 0 ? content : [{ type: "paragraph" }] };
}

function said(node: NodeJSON): NodeJSON[] {
  const content = (node.content ?? []).flatMap(said);
  switch (node.type) {
    case "callout":
    case "details":
      return [{ type: "blockquote", content }];
    case "blockMath":
      return [{ type: "codeBlock", attrs: { language: null }, content: [{ type: "text", text: "x" }] }];
    case "footnoteDefinition":
      return content;
    case "footnoteReference":
    case "inlineMath":
    case "mention":
    case "rawInline":
    case "wikiLink":
      return [{ type: "text", text: "x" }];
    default:
      return [node.content ? { ...node, content } : node];
  }
}
