import {
  append,
  type DocJSON,
  diff,
  insertAfterHeading,
  outline,
  prepend,
  replaceSection,
  replaceText,
} from "markdown-codec";
import { z } from "zod";
import { ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { Document, ExpectedRevision } from "../schema/document.ts";
import { Id, Markdown, Text } from "../schema/text.ts";
import { requireAccess } from "./access.ts";
import { bodyOf, parseBody, requireSize, translating } from "./body.ts";
import { lockDocument } from "./lock.ts";
import { requireRevision } from "./revision-guard.ts";
import { findDocument, presentDocument, presentUnchanged } from "./row.ts";
import { effective, isEmpty, saveDocument, storedContent } from "./save.ts";

const maxHeadingLength = 1_000;
/** The text of a heading, as an edit names it. */
export const Heading = Text.refine((heading) => heading.trim() !== "", "Must not be empty")
  .refine((heading) => heading.length <= maxHeadingLength, `At most ${maxHeadingLength} characters`)
  .meta({ maxLength: maxHeadingLength });
const common = { id: Id, expectedRevision: ExpectedRevision.optional(), dryRun: z.boolean().optional() };

const input = z.discriminatedUnion("op", [
  z.strictObject({ ...common, op: z.literal("append"), markdown: Markdown }),
  z.strictObject({ ...common, op: z.literal("prepend"), markdown: Markdown }),
  z.strictObject({ ...common, op: z.literal("insert_after_heading"), heading: Heading, markdown: Markdown }),
  z.strictObject({ ...common, op: z.literal("replace_section"), heading: Heading, markdown: Markdown }),
  z.strictObject({
    ...common,
    op: z.literal("replace_text"),
    oldText: Text.refine((text) => text.length > 0, "Must not be empty"),
    newText: Text,
  }),
]);

type Request = z.output<typeof input>;

/** What a dry run answers: what would change, as unified Markdown lines, and the revision that it was made against. */
export const EditPreview = z.object({ diff: z.string(), revision: z.int() }).meta({ id: "EditPreview" });

/**
 * A targeted edit of the structured document. What it does not touch stays as it is, node for node; under the row's lock no
 * concurrent edit is lost.
 */
export const editDocument = operation({
  name: "documents.edit",
  summary: "Edit a part of a document",
  description:
    "`append`, `prepend`, `insert_after_heading`, `replace_section` and `replace_text` leave everything else untouched. `dryRun` answers the difference and changes nothing.",
  scope: "write",
  capability: "document.edit",
  input,
  output: z.union([Document, EditPreview]),
  turn: (request) => request.id,
  prepare: (request) => (request.op === "replace_text" ? undefined : parseBody(request.markdown, "markdown")),
  async run(context, request, fragment) {
    const { tx, actor, appUrl } = context;
    const before = requireAccess(actor, "edit", await lockDocument(tx, actor, request.id, { markdown: true }));
    await requireRevision(context, before, request.expectedRevision);
    const stored = await findDocument(tx, actor, request.id, { content: true });
    const content = storedContent(stored?.content);
    const body = bodyOf(edited(content, request, fragment));
    requireSize(body.markdown, before.markdown);
    if (request.dryRun) {
      context.audit.nothing();
      return { diff: diff(before.markdown ?? "", body.markdown), revision: before.revision };
    }
    const change = effective(before, { body });
    if (isEmpty(change)) {
      context.audit.nothing();
      return presentUnchanged(before, appUrl);
    }
    return presentDocument(await saveDocument(context, before, change), appUrl);
  },
});

function edited(content: DocJSON, request: Request, fragment: DocJSON | undefined): DocJSON {
  if (request.op === "replace_text") {
    return translating("oldText", () => replaceText(content, request.oldText, request.newText));
  }
  if (fragment === undefined) throw new Error("every edit but replace_text has a fragment");
  switch (request.op) {
    case "append":
      return append(content, fragment);
    case "prepend":
      return prepend(content, fragment);
    case "insert_after_heading":
      return atHeading(content, request.heading, () => insertAfterHeading(content, request.heading, fragment));
    case "replace_section":
      return atHeading(content, request.heading, () => replaceSection(content, request.heading, fragment));
  }
}

/** So many headings are named when the wanted one is not there. */
const listedHeadings = 50;

/** Runs what looks for a heading; one that is not there is told with those that are. @throws {ServiceError} `heading_not_found` */
export function atHeading(content: DocJSON, heading: string, run: () => DocJSON): DocJSON {
  try {
    return translating("heading", run);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "heading_not_found") throw error;
    const headings = outline(content).map((entry) => entry.text);
    const message = `No heading reads \`${heading.trim()}\`.`;
    throw new ServiceError("heading_not_found", message, {
      details: [{ path: "heading", message, headings: headings.slice(0, listedHeadings), count: headings.length }],
    });
  }
}
