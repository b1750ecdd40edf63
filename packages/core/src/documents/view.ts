import { type Actor, type CollectionFacts, decideCollection, visibleDocument, visibleTags } from "@kb/auth";
import { type Reader, sql } from "@kb/db";
import { z } from "zod";
import { notFound } from "../errors.ts";
import { readSettled } from "../live/find-settled.ts";
import { liveVersions } from "../live/versions.ts";
import { query } from "../operation.ts";
import { Document } from "../schema/document.ts";
import { Id } from "../schema/text.ts";
import { ownStars } from "../stars/star.ts";
import { DocumentAbilities, documentAbilities } from "./abilities.ts";
import { requireAccess } from "./access.ts";
import { Ancestor, ancestorsOf } from "./ancestors.ts";
import { type Article, cachedArticle, renderArticle } from "./article-html.ts";
import { Person, personOf } from "./document-entry.ts";
import { recordView } from "./record-view.ts";
import { type DocumentWithFacts, documentColumns, fromDocuments, presentDocument, withFacts } from "./row.ts";
import { presentLevel, TreeLevel } from "./tree.ts";
import { childrenOf, type NodeRow, nodesOf } from "./tree-node.ts";

/** Rows of `children`; `documents.tree` continues them. */
const shownChildren = 100;

const Parts = z.enum(["html", "text", "content", "markdown"]);

const ViewedDocument = Document.partial({ text: true }).meta({ id: "ViewedDocument" });

/**
 * Reads all that the page of a document shows, in one response. `include` names the forms of the body, by default only
 * `html`; `text`, `content` and `markdown` are the fields `text`, `content` and `markdownText` of the document.
 *
 * - `html`: safe HTML of the body. Headings have ids, blocks `dir="auto"`, and the box of a task its number among all tasks as
 *   `data-task`, disabled.
 * - `path`: the documents above it that the user may see, from the top.
 * - `abilities`: what the user may do with it now, in its state.
 * - `children`: the first 100 documents below it, as `documents.tree` returns a level. Those of an archived document are
 *   archived documents; a document in the trash has none.
 * - `restrictedTags`: those that the user may see.
 * - `starred`: whether the user has starred it.
 *
 * The document becomes the user's last viewed one (`documents.recent`), unless `prefetch` says that nobody looks at it yet.
 * A document in the trash is found by users who may restore it; `document.deletedAt` shows that it is there. 2 statements.
 */
export const viewDocument = query({
  name: "documents.view",
  summary: "Get a document with everything that its page shows",
  description:
    "The document, its HTML, the documents above and below it, the names of its people, its restricted tags, and what the user may do with it. Also finds a document in the trash, for users who may restore it.",
  scope: "read",
  capability: "document.read",
  sessionOnly: true,
  input: z.strictObject({ id: Id, include: z.array(Parts).default(["html"]), prefetch: z.boolean().optional() }),
  output: z.object({
    document: ViewedDocument,
    html: z.string().optional(),
    collection: z
      .object({ id: z.uuid(), name: z.string(), icon: z.string().nullable(), color: z.string().nullable() })
      .nullable(),
    path: z.array(Ancestor),
    createdBy: Person.nullable(),
    lastModifiedBy: Person.nullable(),
    abilities: DocumentAbilities,
    children: TreeLevel,
    starred: z.boolean(),
    restrictedTags: z.array(z.object({ id: z.uuid(), name: z.string(), color: z.string().nullable() })),
  }),
  async run(context, { id, include, prefetch }) {
    const { reader, database, actor, appUrl, now } = context;
    const article = include.includes("html") ? cachedArticle(actor, id) : undefined;
    const row = await readSettled(context, () => readView(reader, actor, id, include, article));
    const children = await readChildren(reader, actor, row);
    if (prefetch !== true && row.deletedAt === null) recordView(database, actor, id, now);
    const { text, ...document } = presentDocument(row, appUrl);
    return {
      document: include.includes("text") ? { ...document, text } : document,
      ...(include.includes("html") ? { html: await htmlOf(actor, row, article) } : {}),
      collection: row.collection,
      path: row.path,
      createdBy: row.createdBy,
      lastModifiedBy: row.lastModifiedBy,
      abilities: documentAbilities(actor, row, canCreateBeside(actor, row)),
      children,
      starred: row.starred,
      restrictedTags: row.restrictedTags,
    };
  },
});

type ViewRow = DocumentWithFacts & {
  readonly collection: {
    readonly id: string;
    readonly name: string;
    readonly icon: string | null;
    readonly color: string | null;
  } | null;
  readonly isCollectionActive: boolean;
  readonly path: z.input<typeof Ancestor>[];
  readonly createdBy: z.input<typeof Person> | null;
  readonly lastModifiedBy: z.input<typeof Person> | null;
  readonly starred: boolean;
  readonly restrictedTags: { readonly id: string; readonly name: string; readonly color: string | null }[];
  /** Editor JSON as text; null if the cached article is of this revision, or no HTML is wanted. */
  readonly source: string | null;
};

type Parts = z.output<typeof Parts>;

/** Reads the row, and the body only if the HTML of its revision is not cached. @throws {ServiceError} `not_found` */
async function readView(
  reader: Reader,
  actor: Actor,
  id: string,
  include: readonly Parts[],
  article: Article | undefined,
): Promise<ViewRow> {
  const parts = {
    text: include.includes("text"),
    markdown: include.includes("markdown"),
    content: include.includes("content"),
  };
  const [row] =
    await reader.rows<ViewRow>(sql`SELECT ${documentColumns(actor, parts)}, f.level, f."keyLevel", ${liveVersions} AS live,
      CASE WHEN c."deletedAt" IS NULL AND c.id IS NOT NULL
        THEN jsonb_build_object('id', c.id, 'name', c.name, 'icon', c.icon, 'color', c.color) END AS collection,
      (c.id IS NOT NULL AND c."deletedAt" IS NULL AND c."archivedAt" IS NULL) AS "isCollectionActive",
      ${ancestorsOf(actor)} AS path, ${personOf(sql`d."createdById"`)} AS "createdBy", ${personOf(sql`d."lastModifiedById"`)} AS "lastModifiedBy",
      EXISTS (SELECT 1 FROM document_stars s WHERE ${ownStars(actor)} AND s."documentId" = d.id) AS starred,
      (SELECT COALESCE(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'color', t.color) ORDER BY t.name), '[]')
        FROM document_tags dt JOIN tags t ON t."teamId" = dt."teamId" AND t.id = dt."tagId"
        WHERE dt."teamId" = d."teamId" AND dt."documentId" = d.id AND t.restricted AND ${visibleTags(actor)}) AS "restrictedTags",
      CASE WHEN ${include.includes("html")}::boolean AND d.revision <> ${article?.revision ?? 0}::int THEN b.content::text END AS source
    FROM ${fromDocuments} ${withFacts(actor)}
    WHERE d."teamId" = ${actor.teamId}::uuid AND d.id = ${id}::uuid AND ${visibleDocument(actor)}`);
  if (row === undefined) throw notFound("Document");
  requireAccess(actor, row.deletedAt === null ? "read" : "readTrash", row);
  return row;
}

async function htmlOf(actor: Actor, { id, revision, source }: ViewRow, article: Article | undefined): Promise<string> {
  if (source !== null) return renderArticle(actor, id, revision, source);
  if (article === undefined) throw new Error("a body that is not cached was read");
  return article.html;
}

/** Tells whether the caller may create documents in the collection of a document. */
function canCreateBeside(actor: Actor, { level, keyLevel, isCollectionActive }: ViewRow): boolean {
  return (
    isCollectionActive && level !== null && decideCollection(actor, "createDocument", { level, keyLevel }) === "allow"
  );
}

async function readChildren(reader: Reader, actor: Actor, row: ViewRow): Promise<z.input<typeof TreeLevel>> {
  const { id, collectionId, level, deletedAt } = row;
  if (collectionId === null || level === null || deletedAt !== null)
    return { parentId: id, data: [], nextCursor: null };
  const tree = { collectionId, archived: row.archivedAt !== null };
  const facts: CollectionFacts = { level, keyLevel: row.keyLevel };
  const below = childrenOf(actor, tree, sql`${id}::uuid`, { limit: shownChildren + 1 });
  const rows = await reader.rows<NodeRow>(
    sql`SELECT * FROM (${nodesOf(actor, tree, below)}) n ORDER BY n."sortOrder", n.id`,
  );
  return presentLevel(actor, facts, rows, id, shownChildren);
}
