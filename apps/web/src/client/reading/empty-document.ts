import type { View } from "../api/contract.ts";

/** What a reader sees of a body that has no text: pictures, lines and the boxes of tasks. */
const visible = /<(?:img|hr|input)\b/;

/** Returns whether the HTML of a document shows nothing: no text, no picture. A document without text has an empty paragraph. */
export const isEmptyHtml = (html: string): boolean => !visible.test(html) && html.replace(/<[^>]*>/g, "").trim() === "";

/** Returns whether an article says that its document is empty: nothing in the text of a document has this class. */
export const isEmptyArticle = (article: Element): boolean => article.querySelector(":scope > .quiet") !== null;

/** Returns the address where the reader writes the document; undefined if the reader may not, or not in its state. */
export function editAddress({ document, abilities }: Pick<View, "document" | "abilities">): string | undefined {
  const canEdit = abilities.edit && document.archivedAt === null && document.deletedAt === null;
  return canEdit ? `/documents/${document.id}?edit=true` : undefined;
}
