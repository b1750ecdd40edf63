import type { Attrs } from "./types.ts";

const ADDRESS = /^kb:\/\/users\/([A-Za-z0-9_-]+)$/;

/** True for the id of a user. */
export function isMentionId(id: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(id);
}

/** True for the address of a user. */
export function isUserAddress(href: unknown): boolean {
  return typeof href === "string" && href.startsWith("kb:") && ADDRESS.test(href);
}

/** The attributes of the mention that a link with this address and text is; undefined for any other link. */
export function mentionOf(href: unknown, text: string): Attrs | undefined {
  const id = ADDRESS.exec(String(href))?.[1];
  const label = text.slice(1);
  return id !== undefined && text.startsWith("@") && label.trim() === label && label !== "" ? { id, label } : undefined;
}

/** The address by which Markdown refers to a user. */
export function mentionAddress(id: unknown): string {
  return `kb://users/${id}`;
}
