import { z } from "zod";
import { recordDenial } from "../audit/record-denial.ts";
import type { ReadContext } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { query } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { type Part, partInput, ReadDocument, readDocument } from "./read-document.ts";

/** The most documents in one answer. */
const maxDocuments = 10;

/** Why a document could not be read. A hidden one is answered like an absent one. */
const Unread = z.object({
  id: z.uuid(),
  error: z.object({
    code: z.enum(["not_found", "heading_not_found"]),
    message: z.string(),
    details: z.array(z.looseObject({ path: z.string(), message: z.string() })).optional(),
  }),
});

const operationName = "assistants.document";

const input = z
  .strictObject({
    id: Id.optional(),
    ids: z.array(Id).min(1, "Send at least one id").max(maxDocuments, `At most ${maxDocuments} ids`).optional(),
    offset: z.int().min(0).optional(),
    ...partInput,
  })
  .refine(({ id, ids }) => (id === undefined) !== (ids === undefined), {
    path: ["id"],
    message: "Send either id or ids",
  })
  .refine(({ ids, offset }) => ids === undefined || offset === undefined, {
    path: ["offset"],
    message: "Only with id: read one document at a time from an offset",
  });

/**
 * Reads one document, or up to 10, each answered by itself. All texts together have at most `maxChars` characters: short
 * ones leave their share to those that follow. 1 statement for each document, so that no more than one body is in memory.
 */
export const readDocumentForAssistants = query({
  name: operationName,
  summary: "Read documents as Markdown, with their places",
  scope: "read",
  capability: "document.read",
  input,
  output: z.object({
    ...ReadDocument.partial().shape,
    documents: z.array(z.union([Unread, ReadDocument])).optional(),
  }),
  async run(context, { id, ids, offset = 0, ...part }) {
    if (id !== undefined) return readDocument(context, id, { ...part, offset, share: 1 });
    return { documents: await readEach(context, [...new Set(ids)], part) };
  },
});

async function readEach(
  context: ReadContext,
  ids: readonly string[],
  { maxChars, ...part }: Pick<Part, "section" | "outline" | "maxChars">,
): Promise<(z.input<typeof Unread> | z.input<typeof ReadDocument>)[]> {
  const documents = [];
  let left = maxChars;
  for (const [index, id] of ids.entries()) {
    const most = Math.max(1, Math.floor(left / (ids.length - index)));
    const read = await readDocument(context, id, { ...part, offset: 0, maxChars: most, share: ids.length }).catch(
      (error: unknown) => unreadOf(context, id, error),
    );
    left -= "markdown" in read ? (read.markdown?.length ?? 0) : 0;
    documents.push(read);
  }
  return documents;
}

/** Returns the entry of a document that cannot be read. An attempt is recorded, as for a call with this id alone. */
function unreadOf({ database, now, actor, call }: ReadContext, id: string, error: unknown): z.input<typeof Unread> {
  if (!(error instanceof ServiceError)) throw error;
  const { code, message, details } = error;
  if (code !== "not_found" && code !== "heading_not_found") throw error;
  recordDenial({ database, clock: { now: () => now } }, operationName, actor, { id }, call, error);
  return { id, error: { code, message, ...(details === undefined ? {} : { details: [...details] }) } };
}
