import { formulasOfPage } from "@kb/formulas";
import { stepsBetween } from "@kb/live";
import { type DocJSON, headings, outline, section, serializeMarkdown, toHtml, toReadingHtml } from "markdown-codec";
import {
  type Body,
  bodyOf,
  boundedDiff,
  type Labels,
  normalizeBody,
  parseBody,
  requireSize,
  withIndex,
} from "../documents/body.ts";
import { type Edit, editAtHeading, editBody } from "../documents/edit-body.ts";
import { undoneBody } from "../documents/undone-body.ts";
import { type Ancestor, documentPage, type PageFacts } from "../export/html-page.ts";
import { type Places, relinked } from "../export/links.ts";
import { acceptSteps, deriveBody, stepsOfChange } from "../live/log-tasks.ts";
import { searchableAddresses } from "../search/addresses.ts";
import { indexDocument, type SearchIndex } from "../search/index-document.ts";

/** Editor JSON that the service wrote itself, as text. */
type Stored = { readonly content: string };

/** A heading with its address where the text of an earlier one is the same. */
type ListedHeading = { readonly level: number; readonly text: string; readonly anchor?: string };

/** Parses stored `content`, which was written from a validated document. */
const readStored = ({ content }: Stored): DocJSON => JSON.parse(content);

/**
 * Work that grows with the size of a body, as pure functions of data: `offload` runs them here or in a thread. Content goes in
 * and out as JSON text, which is quicker to copy between threads than the tree.
 */
export const tasks = {
  /** Builds a body from a caller's Markdown; with labels, also its search index. */
  bodyFromMarkdown: (input: { readonly markdown: string; readonly path: string; readonly labels?: Labels }): Body =>
    bodyOf(parseBody(input.markdown, input.path), input.labels),

  /** Builds a body from a caller's editor JSON. */
  bodyFromContent: (input: Stored & { readonly labels?: Labels }): Body => {
    const body = bodyOf(normalizeBody(input.content));
    // Before the index is built, because a body that is too long may take any time to index.
    requireSize(body.markdown);
    return withIndex(body, input.labels);
  },

  /** Derives the other forms of a stored body. */
  bodyFromStored: (input: Stored & { readonly labels?: Labels }): Body => bodyOf(readStored(input), input.labels),

  /** Applies a targeted edit to a stored body, whose Markdown is `before`; with a version of its log, also as steps. */
  editedBody: ({ before, edit, labels, savedVersion, ...stored }: EditedBody): Body => {
    const content = readStored(stored);
    const edited = editBody(content, edit);
    const body = bodyOf(edited);
    requireSize(body.markdown, before);
    const change = savedVersion === undefined ? {} : { change: { savedVersion, steps: stepsBetween(content, edited) } };
    return { ...withIndex(body, labels), ...change };
  },

  /** Indexes a stored body under other labels. */
  indexOfStored: (input: Stored & { readonly text: string; readonly labels: Labels }): SearchIndex => {
    const content = readStored(input);
    const headings = outline(content).map((heading) => heading.text);
    return indexDocument({ ...input.labels, headings, text: input.text, addresses: searchableAddresses(content) });
  },

  diff: (input: { readonly before: string; readonly after: string }): string => boundedDiff(input.before, input.after),

  html: (input: Stored): string => toHtml(readStored(input), { math: formulasOfPage() }),

  /** Returns the HTML of a document as the app shows it. */
  articleHtml: (input: Stored): string => toReadingHtml(readStored(input), { math: formulasOfPage() }),

  /**
   * Returns the first headings of a body, or of a section where one is named, the number of the others, and the Markdown of the
   * section.
   */
  sectionAndHeadings: (
    input: Stored & { readonly heading: string | undefined; readonly listed: number },
  ): { section: string | undefined; headings: ListedHeading[]; more: number } => {
    const content = readStored(input);
    const { heading, listed } = input;
    const part = heading === undefined ? undefined : editAtHeading(content, heading, () => section(content, heading));
    const entries = headings(content, heading);
    return {
      section: part === undefined ? undefined : serializeMarkdown(part),
      headings: entries
        .slice(0, listed)
        .map(({ level, text, anchor, repeated }) => ({ level, text, ...(repeated && { anchor }) })),
      more: Math.max(0, entries.length - listed),
    };
  },

  /** Returns the Markdown of an exported document, with relative links to what the archive holds. */
  relinkedMarkdown: (input: Stored & { readonly path: string; readonly places: Places }): string =>
    serializeMarkdown(relinked(readStored(input), input.path, input.places)),

  /** Returns an exported document as one HTML page. */
  documentPage: (input: ExportedPage): string =>
    documentPage(input.facts, relinked(readStored(input), input.path, input.places), input.path, input.above),

  acceptSteps,
  deriveBody,
  stepsOfChange,
  undoneBody,
} as const;

type EditedBody = Stored & {
  readonly before: string;
  readonly edit: Edit;
  readonly labels?: Labels;
  readonly savedVersion?: number | undefined;
};

type ExportedPage = Stored & {
  readonly facts: PageFacts;
  readonly path: string;
  readonly above: readonly Ancestor[];
  readonly places: Places;
};

export type Tasks = typeof tasks;
