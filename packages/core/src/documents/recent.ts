import { type Actor, readableDocuments } from "@kb/auth";
import { type Reader, type Sql, sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { Timestamp, timestamp } from "../schema/text.ts";
import { DocumentEntry, type EntryRow, entryColumns, presentEntry } from "./document-entry.ts";
import { whereSparse } from "./sparse.ts";

const Lists = z.enum(["viewed", "changed", "created", "drafts"]);
type List = z.output<typeof Lists>;

/** The newest changes of the team among which those of others are sought. */
const maxChanges = 1_000;

const Entries = z.array(DocumentEntry);

/**
 * Lists documents for the home screen, in one response: `viewed`, those that the user opened last (within 90 days, to the
 * nearest minutes), with `viewedAt`; `changed`, those that somebody else changed last, among the newest 1,000 changes;
 * `created`, those that the user created, and `drafts`, those of them that are drafts, latest change first. Documents in the
 * trash are in no list, archived ones only in `viewed`. One statement for each list.
 */
export const listRecent = query({
  name: "documents.recent",
  summary: "List recent documents",
  description: "Documents that the user viewed, that others changed or that the user created, and the user's drafts.",
  scope: "read",
  capability: "document.read",
  sessionOnly: true,
  input: z.strictObject({
    lists: z.array(Lists).max(4).default(["viewed", "changed", "drafts"]),
    limit: z.int().min(1).max(50).default(10),
  }),
  output: z.object({
    viewed: z.array(DocumentEntry.extend({ viewedAt: Timestamp })).optional(),
    changed: Entries.optional(),
    created: Entries.optional(),
    drafts: Entries.optional(),
  }),
  async run({ reader, actor }, { lists, limit }) {
    const wanted = (list: List): boolean => lists.includes(list);
    const [viewed, changed, created, drafts] = await Promise.all([
      wanted("viewed") ? readViewed(reader, actor, limit) : undefined,
      wanted("changed") ? readChanged(reader, actor, limit) : undefined,
      wanted("created") ? readOwn(reader, actor, limit, sql`TRUE`) : undefined,
      wanted("drafts") ? readOwn(reader, actor, limit, sql`d."publishedAt" IS NULL`) : undefined,
    ]);
    return {
      ...(viewed && { viewed }),
      ...(changed && { changed }),
      ...(created && { created }),
      ...(drafts && { drafts }),
    };
  },
});

const active = (actor: Actor): Sql =>
  sql`d."deletedAt" IS NULL AND d."archivedAt" IS NULL AND ${readableDocuments(actor)}`;

async function readViewed(reader: Reader, actor: Actor, limit: number) {
  const rows = await reader.rows<
    EntryRow & { readonly viewedAt: Date }
  >(sql`SELECT ${entryColumns(actor)}, d."viewedAt" FROM (
      SELECT d.*, v."viewedAt" FROM document_views v JOIN documents d ON d."teamId" = v."teamId" AND d.id = v."documentId"
      WHERE v."teamId" = ${actor.teamId}::uuid AND v."userId" = ${actor.userId}::uuid
        AND d."deletedAt" IS NULL AND ${readableDocuments(actor)}
      ORDER BY v."viewedAt" DESC, d.id LIMIT ${limit}) d ORDER BY d."viewedAt" DESC, d.id`);
  return rows.map((row) => ({ ...presentEntry(row), viewedAt: timestamp(row.viewedAt) }));
}

async function readChanged(reader: Reader, actor: Actor, limit: number) {
  const sparse = await whereSparse(reader, actor, maxChanges);
  return readEntries(
    reader,
    actor,
    sql`SELECT * FROM (SELECT d.* FROM documents d WHERE ${active(actor)}${sparse} ORDER BY d."updatedAt" DESC, d.id DESC
      LIMIT ${maxChanges}::int) d WHERE d."lastModifiedById" IS DISTINCT FROM ${actor.userId}::uuid
      ORDER BY d."updatedAt" DESC, d.id DESC LIMIT ${limit}`,
  );
}

function readOwn(reader: Reader, actor: Actor, limit: number, state: Sql) {
  return readEntries(
    reader,
    actor,
    sql`SELECT d.* FROM documents d WHERE d."createdById" = ${actor.userId}::uuid AND ${state} AND ${active(actor)}
      ORDER BY d."updatedAt" DESC, d.id DESC LIMIT ${limit}`,
  );
}

async function readEntries(reader: Reader, actor: Actor, documents: Sql) {
  const rows = await reader.rows<EntryRow>(sql`SELECT ${entryColumns(actor)} FROM (${documents}) d
    ORDER BY d."updatedAt" DESC, d.id DESC`);
  return rows.map(presentEntry);
}
