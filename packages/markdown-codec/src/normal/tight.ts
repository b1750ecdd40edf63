import type { NodeJSON } from "../types.ts";

const LISTS = new Set(["bulletList", "orderedList", "taskList"]);

/**
 * The raw block as it can stand after `before`: without a blank line between them only where other readers would read
 * another page with one, and this reader would read the same. That is so for HTML after a list, whose last paragraph
 * could go on for some readers, and for a directive after text, which is text to most of them.
 */
export function settleTight(node: NodeJSON, before: NodeJSON | undefined): NodeJSON {
  if (node.attrs?.tight !== true || canBeTight(node.attrs.kind, before)) return node;
  return { ...node, attrs: { ...node.attrs, tight: false } };
}

/** True where a raw block of this kind says something else after `before` with a blank line between. */
export function canBeTight(kind: unknown, before: NodeJSON | undefined): boolean {
  const isHtml = kind === "html" || kind === "comment";
  if (before === undefined || !(isHtml || kind === "directive")) return false;
  if (LISTS.has(before.type)) return true;
  // The empty paragraph that begins an item is not written.
  if (before.type === "paragraph") return !isHtml && before.content !== undefined;
  if (before.type === "callout") return before.attrs?.fence !== null;
  return before.type === "rawBlock" && before.attrs?.kind === "directive";
}
