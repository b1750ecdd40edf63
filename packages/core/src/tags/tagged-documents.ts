import type { Actor } from "@kb/auth";
import { sql, type Tx } from "@kb/db";
import type { WriteContext } from "../context.ts";
import { lockDocuments } from "../documents/lock.ts";
import { type BatchDocument, findBatchDocuments, saveBatch } from "../documents/subtree.ts";
import { addTerms } from "../search/index.ts";
import type { SearchIndex } from "../search/index-document.ts";
import { offload } from "../threads/offload.ts";

/** Returns the condition that `documents d` carries a tag. */
const carrying = (tagId: string) => sql`EXISTS (SELECT 1 FROM document_tags dt
  WHERE dt."teamId" = d."teamId" AND dt."documentId" = d.id AND dt."tagId" = ${tagId}::uuid)`;

/** Locks the documents that carry a tag. Call it before the team's clock is stamped, as all locks of documents are. */
export function lockTaggedDocuments({ tx, actor }: WriteContext, tagId: string): Promise<void> {
  return lockDocuments(tx, actor, carrying(tagId));
}

/** Reads the documents that carry a tag. Under the team's clock no document is added. */
export function findTaggedDocuments({ tx, actor }: WriteContext, tagId: string): Promise<BatchDocument[]> {
  return findBatchDocuments(tx, actor, carrying(tagId));
}

/** Raises the revision of documents whose tags have changed, and updates their search index. */
export async function updateTaggedDocuments(context: WriteContext, documents: readonly BatchDocument[]): Promise<void> {
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
    await reindex(tx, actor, ids);
  }
}

/** The maximum number of bodies in memory. */
const indexedAtOnce = 50;

type Indexed = { id: string; title: string; tags: string[]; text: string; content: string };

/** A large body is indexed in a thread while the transaction waits: only admins rename tags, and rarely. */
async function reindex(tx: Tx, { teamId, userId }: Actor, ids: readonly string[]): Promise<void> {
  const rows = await tx.rows<Indexed>(sql`SELECT d.id, d.title, b.text, b.content::text AS content,
      ARRAY(SELECT t.name FROM document_tags dt JOIN tags t ON t."teamId" = dt."teamId" AND t.id = dt."tagId"
        WHERE dt."teamId" = d."teamId" AND dt."documentId" = d.id AND NOT t.restricted ORDER BY t.name) AS tags
    FROM documents d JOIN document_bodies b ON b."teamId" = d."teamId" AND b."documentId" = d.id
    WHERE d."teamId" = ${teamId}::uuid AND d.id = ANY(${ids}::uuid[])`);
  const entries: (SearchIndex & { id: string })[] = [];
  for (const { id, title, tags, text, content } of rows) {
    const input = { content, text, labels: { title, tags } };
    entries.push({ id, ...(await offload(userId, "indexOfStored", content.length, input)) });
  }
  const column = (name: "id" | "folded" | "vector"): string[] => entries.map((entry) => entry[name]);
  const terms = [...new Set(entries.flatMap((entry) => entry.terms))].sort();
  await tx.execute(sql`UPDATE document_bodies b SET folded = n.folded, vector = n.vector::tsvector
    FROM unnest(${column("id")}::uuid[], ${column("folded")}::text[], ${column("vector")}::text[]) AS n(id, folded, vector)
    WHERE b."teamId" = ${teamId}::uuid AND b."documentId" = n.id`);
  addTerms(tx, teamId, terms);
}
