import type { NodeJSON } from "../types.ts";
import { readImageTag } from "./tags.ts";

const WITH_LINES = new Set(["tableHeader", "tableCell"]);
const WITH_HEADS = new Set(["listItem", "taskItem"]);

/** False where only a paragraph can stand: at the head of an item, and in the cell of a table of GFM. */
export function canBeTag({ type }: NodeJSON, index: number): boolean {
  return !WITH_LINES.has(type) && (index > 0 || !WITH_HEADS.has(type));
}

/** True for a paragraph of nothing but the tag of an image with sizes. */
export function isImageLine({ type, content = [] }: NodeJSON): boolean {
  const [only] = content;
  const isTag = only?.type === "rawInline" && only.attrs?.kind === "html" && only.marks === undefined;
  return (
    type === "paragraph" && content.length === 1 && isTag && readImageTag(String(only.attrs?.source)) !== undefined
  );
}
