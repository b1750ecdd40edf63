import { readFile } from "node:fs/promises";
import { Emoji, maxMarkdownLength, maxTags, maxTitleLength, TagName } from "@kb/core";
import { outline, parseMarkdown } from "markdown-codec";
import { partFrontMatter } from "./front-matter.ts";
import type { Told } from "./manifest.ts";
import { type Skipped, unreadable } from "./scan.ts";
import type { Page } from "./tree.ts";

/** A page, ready to be written. */
export type Draft = {
  readonly title: string;
  readonly text: string;
  readonly emoji: string | null;
  /** Null where the file says nothing of tags. */
  readonly tags: readonly string[] | null;
  /** The file itself says that it is not to be published. */
  readonly draft: boolean;
  /** What the reader should know; the file is imported all the same. */
  readonly notes: readonly string[];
  readonly unused: readonly string[];
};

// A character takes at most three bytes of UTF-8 for each of its UTF-16 units.
const maxBytes = 3 * maxMarkdownLength;

/** Reads the file of a page; `told` is what the manifest of an export knows of it. Says why when that is not possible. */
export async function readDraft(page: Page, told?: Told): Promise<Draft | Skipped> {
  const { file } = page;
  if (file === null) return folderDraft(page);
  if (file.bytes > maxBytes) return tooLarge(file.path);
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file.absolute);
  } catch (error) {
    return unreadable(file.path, error);
  }
  const source = decode(bytes);
  if (source === null) return { path: file.path, code: "not_text", reason: "is not UTF-8 text" };
  if (source.length > maxMarkdownLength) return tooLarge(file.path);
  return draftOf(page, source, told);
}

/** The page of a folder that has none of its own. */
export const folderDraft = (page: Page): Draft => ({
  title: fitTitle(page.name, []),
  text: "",
  emoji: null,
  tags: null,
  draft: false,
  notes: [],
  unused: [],
});

function tooLarge(path: string): Skipped {
  const limit = maxMarkdownLength.toLocaleString("en");
  return { path, code: "payload_too_large", reason: `is too large: a document has at most ${limit} characters` };
}

/** UTF-8, or UTF-16 where its byte order mark says so; the mark itself is no text. */
function decode(bytes: Uint8Array): string | null {
  const wide =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(wide, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function draftOf(page: Page, source: string, told: Told | undefined): Draft {
  const { front, body, problem } = partFrontMatter(source);
  const notes: string[] = problem === null ? [] : [problem];
  const written = front.title?.trim() || told?.title || firstHeading(body) || page.name;
  return {
    title: fitTitle(written, notes),
    text: body,
    emoji: usableEmoji(front.emoji, notes),
    tags: front.tags === null ? (told?.tags ?? null) : usableTags(front.tags, notes),
    draft: front.draft || told?.draft === true,
    notes,
    unused: front.unused,
  };
}

/** The first heading of level 1. A text that cannot be read has none; writing it says what is wrong. */
function firstHeading(body: string): string | undefined {
  try {
    return outline(parseMarkdown(body)).find((heading) => heading.level === 1 && heading.text.trim() !== "")?.text;
  } catch {
    return undefined;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the purpose.
const controls = /[\u0000-\u001f]+/g;

/** A title as documents take it: one line, no control characters, at most so many code points. */
function fitTitle(written: string, notes: string[]): string {
  const line = written.toWellFormed().replaceAll(controls, " ").trim();
  const points = [...line];
  if (points.length <= maxTitleLength) return line;
  notes.push(`its title is cut to ${maxTitleLength} characters`);
  return points.slice(0, maxTitleLength).join("");
}

function usableEmoji(written: string | null, notes: string[]): string | null {
  if (written === null || Emoji.safeParse(written).success) return written;
  notes.push(`its emoji "${written}" is not one emoji, and is left out`);
  return null;
}

function usableTags(written: readonly string[], notes: string[]): string[] {
  const names = new Set<string>();
  for (const tag of written) {
    const parsed = TagName.safeParse(tag);
    if (parsed.success) names.add(parsed.data);
    else notes.push(`its tag "${tag}" is left out: ${parsed.error.issues[0]?.message ?? "not a tag name"}`);
  }
  if (names.size > maxTags) notes.push(`only the first ${maxTags} of its ${names.size} tags are kept`);
  return [...names].slice(0, maxTags);
}
