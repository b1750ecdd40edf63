import { requireText } from "../shape.ts";

const ENTITIES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Escapes text for the content of an element and for an attribute's value in double or single quotes.
 *
 * @throws CodecError `INVALID_DOC` for what is no string
 */
export function escapeHtml(text: string): string {
  requireText(text, "the text");
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/**
 * Escapes text for content and for double quotes; anything but a string becomes the empty string. Leaves apostrophes as
 * they are, as the examples of CommonMark do.
 */
export function escapeText(text: unknown): string {
  return typeof text === "string" ? text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character) : "";
}

/** The text that `escapeHtml` was given. Other entities stay as they are. */
export function unescapeHtml(text: string): string {
  return text.replace(
    /&(?:amp|lt|gt|quot|#39);/g,
    (entity) => Object.keys(ENTITIES).find((character) => ENTITIES[character] === entity) ?? entity,
  );
}
