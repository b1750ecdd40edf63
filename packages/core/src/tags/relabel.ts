import { sql, type Tx } from "@kb/db";
import { outline } from "markdown-codec";
import { lockDocuments } from "../documents/lock.ts";
import { storedContent } from "../documents/save.ts";
import { type Batch, saveBatch } from "../documents/subtree.ts";
import type { WriteContext } from "../operation.ts";
import { addTerms, indexDocument } from "../search/index.ts";

/** Condition on `documents d`: those that carry the tag, wherever they are. */
const carrying = (tagId: string) => sql`EXISTS (SELECT 1 FROM document_tags dt
  WHERE dt."teamId" = d."teamId" AND dt."documentId" = d.id AND dt."tagId" = ${tagId}::uuid)`;

type Labelled = Batch["documents"][number];

/** Locks the documents that carry a tag. Called before the team's clock is stamped, as all who lock documents do. */
export function lockLabelled({ tx, actor }: WriteContext, tagId: string): Promise<void> {
  return lockDocuments(tx, actor, carrying(tagId));
}

/** The documents that carry a tag. Under the team's clock none is joining them. */
export function labelled({ tx, actor }: WriteContext, tagId: string): Promise<Labelled[]> {
  return tx.rows<Labelled>(sql`SELECT d.id, d.title, d.revision, d."collectionId", d."publishedAt", d."createdById"
    FROM documents d WHERE d."teamId" = ${actor.teamId}::uuid AND ${carrying(tagId)} ORDER BY d.id`);
}

/** Gives documents whose tags were renamed or taken their next revision, and makes the search know them so. */
export async function relabel(context: WriteContext, documents: readonly Labelled[]): Promise<void> {
  if (documents.length === 0) return;
  const { tx, actor } = context;
  await saveBatch(context, {
    documents,
    set: sql`"lastModifiedById" = ${actor.userId}::uuid`,
    event: "document.updated",
    changed: ["tags"],
    leaves: false,
  });
  for (let from = 0; from < documents.length; from += indexedAtOnce) {
    const ids = documents.slice(from, from + indexedAtOnce).map((document) => document.id);
    await reindex(tx, actor.teamId, ids);
  }
}

/** So many bodies are held in memory. */
const indexedAtOnce = 50;

type Indexed = { id: string; title: string; tags: string[]; text: string; content: unknown };

async function reindex(tx: Tx, teamId: string, ids: readonly string[]): Promise<void> {
  const rows = await tx.rows<Indexed>(sql`SELECT d.id, d.title, b.text, b.content,
      ARRAY(SELECT t.name FROM document_tags dt JOIN tags t ON t."teamId" = dt."teamId" AND t.id = dt."tagId"
        WHERE dt."teamId" = d."teamId" AND dt."documentId" = d.id AND NOT t.restricted ORDER BY t.name) AS tags
    FROM documents d JOIN document_bodies b ON b."teamId" = d."teamId" AND b."documentId" = d.id
    WHERE d."teamId" = ${teamId}::uuid AND d.id = ANY(${ids}::uuid[])`);
  const entries = rows.map(({ id, title, tags, text, content }) => {
    const headings = outline(storedContent(content)).map((heading) => heading.text);
    return { id, ...indexDocument({ title, tags, headings, text }) };
  });
  const column = (name: "id" | "folded" | "vector"): string[] => entries.map((entry) => entry[name]);
  const terms = [...new Set(entries.flatMap((entry) => entry.terms))].sort();
  await tx.execute(sql`WITH saved AS (UPDATE document_bodies b SET folded = n.folded, vector = n.vector::tsvector
    FROM unnest(${column("id")}::uuid[], ${column("folded")}::text[], ${column("vector")}::text[]) AS n(id, folded, vector)
    WHERE b."teamId" = ${teamId}::uuid AND b."documentId" = n.id) ${addTerms(teamId, terms)}`);
}
