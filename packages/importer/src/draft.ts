import { Emoji, maxTags, maxTitleLength, TagName } from "@kb/core";
import { type Explained, explain } from "./explain.ts";
import type { FrontMatter } from "./front-matter.ts";

/** The fields of a page to import. */
export type Draft = {
  readonly title: string;
  /** Markdown. */
  readonly text: string;
  /** Undefined if the file does not say whether the page has one. */
  readonly emoji: string | null | undefined;
  /** Null if the file has no tags field. */
  readonly tags: readonly string[] | null;
  /** Whether the file asks not to be published. */
  readonly draft: boolean;
  readonly createdAt: Date | null;
  readonly front: FrontMatter;
  /** Path of the page above it, if the file says it. */
  readonly parent: string | null;
  /** Remarks about a file that is imported anyway. */
  readonly notes: readonly Explained[];
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes them.
const controls = /[\u0000-\u001f]+/g;

/** Fits a title to the limits of documents: one line, no control characters, a maximum number of code points. */
export function fitTitle(written: string, notes: Explained[]): string {
  const line = written.toWellFormed().replaceAll(controls, " ").trim();
  const points = [...line];
  if (points.length <= maxTitleLength) return line || "Untitled";
  notes.push(explain("title_cut", { limit: maxTitleLength }));
  return points.slice(0, maxTitleLength).join("").trim();
}

export function usableEmoji(written: string | null, notes: Explained[]): string | null {
  if (written === null || Emoji.safeParse(written).success) return written;
  notes.push(explain("emoji_omitted", { emoji: written }));
  return null;
}

export function usableTags(written: readonly string[], notes: Explained[]): string[] {
  const names = new Set<string>();
  for (const tag of written) {
    const parsed = TagName.safeParse(tag);
    if (parsed.success) names.add(parsed.data);
    else notes.push(explain("tag_omitted", { tag, message: parsed.error.issues[0]?.message ?? "not a valid name" }));
  }
  if (names.size > maxTags) notes.push(explain("tags_omitted", { limit: maxTags, count: names.size }));
  return [...names].slice(0, maxTags);
}

/** Returns the time of creation, unless it is in the future. */
export function usableDate(written: Date | null, notes: Explained[]): Date | null {
  if (written === null || written.getTime() <= Date.now()) return written;
  notes.push(explain("date_omitted", {}));
  return null;
}
