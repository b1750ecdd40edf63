import { requireTree } from "./shape.ts";
import type { DocJSON, MarkJSON, NodeJSON } from "./types.ts";

/** Returns the address that takes the place of the given one, or undefined to keep it. */
export type ReplaceAddress = (address: string) => string | undefined;

/**
 * Replaces the addresses of links and images; nothing else changes. Returns `doc` itself where `replace` keeps every
 * address. `replace` is called once for each link mark and each image, in the order of the text.
 */
export function mapAddresses(doc: DocJSON, replace: ReplaceAddress): DocJSON {
  requireTree(doc);
  const content = mapItems(doc.content, (node) => mapNode(node, replace));
  return content === doc.content ? doc : { ...doc, content };
}

function mapNode(node: NodeJSON, replace: ReplaceAddress): NodeJSON {
  const src = node.type === "image" ? replacement(node.attrs?.src, replace) : undefined;
  const marks = node.marks && mapItems(node.marks, (mark) => mapMark(mark, replace));
  const content = node.content && mapItems(node.content, (child) => mapNode(child, replace));
  if (src === undefined && marks === node.marks && content === node.content) return node;
  return {
    ...node,
    ...(src === undefined ? {} : { attrs: { ...node.attrs, src } }),
    ...(marks === undefined ? {} : { marks }),
    ...(content === undefined ? {} : { content }),
  };
}

function mapMark(mark: MarkJSON, replace: ReplaceAddress): MarkJSON {
  const href = mark.type === "link" ? replacement(mark.attrs?.href, replace) : undefined;
  return href === undefined ? mark : { ...mark, attrs: { ...mark.attrs, href } };
}

function replacement(address: unknown, replace: ReplaceAddress): string | undefined {
  return typeof address === "string" ? replace(address) : undefined;
}

/** Maps a list; returns the list itself where no item changes. */
function mapItems<Item>(items: Item[], map: (item: Item) => Item): Item[] {
  const mapped = items.map(map);
  return mapped.some((item, index) => item !== items[index]) ? mapped : items;
}
