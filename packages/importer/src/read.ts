import { readFile } from "node:fs/promises";
import { posix } from "node:path";
import { maxMarkdownLength } from "@kb/core";
import { CodecError, outline, parseMarkdown } from "markdown-codec";
import { csvPage, maxCells } from "./csv/page.ts";
import { type Draft, fitTitle, usableDate, usableEmoji, usableTags } from "./draft.ts";
import { type Explained, explain, type Skipped, skippedFor } from "./explain.ts";
import { type FrontMatter, noFrontMatter, splitFrontMatter, textOnly } from "./front-matter.ts";
import { readHtmlPage } from "./html/page.ts";
import { HtmlLimitError } from "./html/parse.ts";
import type { ManifestEntry } from "./manifest.ts";
import { withoutNotionId } from "./notion.ts";
import type { Product } from "./product.ts";
import { type SourceFile, unreadable } from "./scan.ts";

/** The facts about a source that reading its files uses. */
export type Reading = {
  readonly product: Product;
  readonly entryOf: (path: string) => ManifestEntry | undefined;
  /** Finds the page of a row of a database, by the path of the database and the name of the row. */
  readonly pageOfRow: (database: string, name: string) => string | undefined;
  readonly onLeftOut: (path: string, what: string) => void;
};

// A character takes at most three bytes of UTF-8 for each of its UTF-16 units.
const maxTextBytes = 3 * maxMarkdownLength;
// Tags and attributes of a page take several times the bytes of its text.
const maxHtmlBytes = 16 * 1024 * 1024;

/** Reads the file of a page; returns the reason if that is not possible. */
export async function readDraft(file: SourceFile, reading: Reading): Promise<Draft | Skipped> {
  const { path, kind } = file;
  if (file.bytes > (kind === "html" ? maxHtmlBytes : maxTextBytes)) return tooLarge(path);
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file.absolute);
  } catch (error) {
    return unreadable(path, error);
  }
  const source = decode(bytes);
  if (source === null) return skippedFor(path, "not_text", explain("not_text", {}));
  try {
    const draft = draftOf(file, source, reading);
    return draft.text.length > maxMarkdownLength ? tooLarge(path) : draft;
  } catch (error) {
    return skippedBy(path, error);
  }
}

/** Returns why a file cannot become a document. @throws the error if it is not about the file */
export function skippedBy(path: string, error: unknown): Skipped {
  if (error instanceof HtmlLimitError) return skippedFor(path, "too_complex", error.why);
  if (!(error instanceof CodecError)) throw error;
  if (error.code === "INLINE_IMAGE") {
    return skippedFor(path, "inline_image_rejected", explain("inline_image", { line: error.line ?? 0 }));
  }
  const { message } = error;
  if (error.code === "LIMIT") return skippedFor(path, "payload_too_large", explain("text_too_complex", { message }));
  const code = error.code === "NESTING" ? "text_too_deep" : "text_invalid";
  return skippedFor(path, "validation_error", explain(code, { message }));
}

/** Returns the name that a file or folder has without its title. */
export const displayName = (name: string, product: Product): string =>
  product === "notion" ? withoutNotionId(name) : name;

/** Returns the draft for a folder without a file. */
export const folderDraft = (title: string): Draft => ({
  title: fitTitle(title, []),
  text: "",
  emoji: undefined,
  tags: null,
  draft: false,
  createdAt: null,
  front: noFrontMatter,
  parent: null,
  notes: [],
});

function tooLarge(path: string): Skipped {
  return skippedFor(path, "payload_too_large", explain("too_large", { limit: maxMarkdownLength }));
}

/** Decodes UTF-8, or UTF-16 with a byte order mark, without the mark; returns null for anything else. */
function decode(bytes: Uint8Array): string | null {
  const wide =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(wide, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function draftOf(file: SourceFile, source: string, reading: Reading): Draft {
  switch (file.kind) {
    case "markdown":
      return markdownDraft(file, source, reading);
    case "html":
      return htmlDraft(file, source, reading);
    case "csv":
      return csvDraft(file, source, reading);
  }
}

const nameOf = ({ path }: SourceFile, { product }: Reading): string => displayName(posix.parse(path).name, product);

function markdownDraft(file: SourceFile, source: string, reading: Reading): Draft {
  if (source.length > maxMarkdownLength) return { ...folderDraft(""), text: source };
  const entry = reading.entryOf(file.path);
  const {
    front,
    body: written,
    problem,
  } = entry?.hasFrontMatter === false ? textOnly(source) : splitFrontMatter(source);
  // An export has a blank line before the text, which may begin with front matter of its own.
  const body = entry !== undefined && written !== source ? written.replace(/^\n/, "") : written;
  const notes: Explained[] = problem === null ? [] : [problem];
  const title = front.title?.trim() || entry?.title || firstHeading(body) || nameOf(file, reading);
  return {
    // An export has the titles of documents, which may have line feeds.
    title: entry !== undefined && front.title === entry.title ? entry.title : fitTitle(title, notes),
    text: body,
    ...(entry === undefined || written === source ? fieldsOf(front, entry, notes) : ownFields(front, notes)),
    createdAt: usableDate(front.createdAt, notes),
    front,
    parent: null,
    notes,
  };
}

type Fields = Pick<Draft, "emoji" | "tags" | "draft">;

/** The fields of a page by its front matter, else by the manifest of the export. */
const fieldsOf = (front: FrontMatter, entry: ManifestEntry | undefined, notes: Explained[]): Fields => ({
  emoji: usableEmoji(front.emoji, notes) ?? entry?.emoji,
  tags: front.tags === null ? (entry?.tags ?? null) : usableTags(front.tags, notes),
  draft: front.draft || entry?.draft === true,
});

/** The fields of a page by the front matter that an export wrote: what somebody deleted there, the page does not have. */
const ownFields = (front: FrontMatter, notes: Explained[]): Fields => ({
  emoji: usableEmoji(front.emoji, notes),
  tags: usableTags(front.tags ?? [], notes),
  draft: front.draft,
});

/** Returns the first heading of level 1; undefined for an invalid text, which is reported when it is written. */
function firstHeading(body: string): string | undefined {
  if (!body.includes("#") && !/^[ \t>]*=+[ \t\r]*$/m.test(body)) return undefined;
  try {
    return outline(parseMarkdown(body, { cjkFriendly: true })).find(
      (heading) => heading.level === 1 && heading.text.trim() !== "",
    )?.text;
  } catch {
    return undefined;
  }
}

function htmlDraft(file: SourceFile, source: string, reading: Reading): Draft {
  const { title, markdown, parent } = readHtmlPage(source, (what) => reading.onLeftOut(file.path, what));
  const notes: Explained[] = [];
  const fitted = fitTitle(title ?? nameOf(file, reading), notes);
  return {
    ...folderDraft(fitted),
    text: markdown,
    parent: parent === null ? null : posix.join(posix.dirname(file.path), decoded(parent)),
    notes,
  };
}

function decoded(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}

function csvDraft(file: SourceFile, source: string, reading: Reading): Draft {
  const { markdown, omitted } = csvPage(source, (name) => reading.pageOfRow(file.path, name));
  const notes = omitted === 0 ? [] : [explain("rows_omitted", { limit: maxCells, count: omitted })];
  return { ...folderDraft(nameOf(file, reading)), text: markdown, notes };
}
