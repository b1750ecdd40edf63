import { mapRawAddresses, type ReplaceAddress } from "./raw-addresses.ts";
import { requireTree } from "./shape.ts";
import type { DocJSON, MarkJSON, NodeJSON } from "./types.ts";

export type { ReplaceAddress };

/**
 * Replaces the addresses of links and images, also of those in raw constructs; nothing else changes. Returns `doc` itself
 * where `replace` keeps every address. `replace` is called once for each link mark, each image and each address of a raw
 * construct, in the order of the text.
 */
export function mapAddresses(doc: DocJSON, replace: ReplaceAddress): DocJSON {
  requireTree(doc);
  const content = mapItems(doc.content, (node) => mapNode(node, replace));
  return content === doc.content ? doc : { ...doc, content };
}

function mapNode(node: NodeJSON, replace: ReplaceAddress): NodeJSON {
  if (node.type === "rawBlock" || node.type === "rawInline") return mapRaw(node, replace);
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

function mapRaw(node: NodeJSON, replace: ReplaceAddress): NodeJSON {
  const { kind, source } = node.attrs ?? {};
  if (typeof source !== "string") return node;
  const mapped = mapRawAddresses(kind, source, replace);
  return mapped === source ? node : { ...node, attrs: { ...node.attrs, source: mapped } };
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
