import type { NodeJSON } from "../types.ts";

export function isEmptyParagraph(node: NodeJSON): boolean {
  return node.type === "paragraph" && !node.content?.length;
}

/** True for the one empty paragraph of a document or block without text. */
export function hasNoText(blocks: readonly NodeJSON[]): boolean {
  return blocks.length === 1 && blocks.every(isEmptyParagraph);
}

/** True for two lists that Markdown would take for one if they stood side by side with the same marker. */
export function areOneFamily(a: NodeJSON | undefined, b: NodeJSON): boolean {
  if (!a?.type.endsWith("List") || !b.type.endsWith("List")) return false;
  return (a.type === "orderedList") === (b.type === "orderedList");
}

/** True for a list that can be written without blank lines between its items. */
export function isTight(list: NodeJSON): boolean {
  return (list.content ?? []).every(isTightItem);
}

function isTightItem(item: NodeJSON): boolean {
  const [head, list, ...others] = item.content ?? [];
  if (head?.type !== "paragraph" || others.length > 0) return false;
  if (list === undefined) return true;
  if (item.type === "listItem" && isEmptyParagraph(head)) return false;
  return canInterrupt(list) && isTight(list);
}

// "a" above "-" is a heading, and only a list that begins at 1 begins right after text.
function canInterrupt(list: NodeJSON): boolean {
  if (list.type === "taskList") return true;
  if (list.type !== "bulletList" && !(list.type === "orderedList" && list.attrs?.start === 1)) return false;
  const [item] = list.content ?? [];
  const first = item?.content?.[0];
  if (item?.type === "taskItem") return true;
  return first !== undefined && !isEmptyParagraph(first);
}
