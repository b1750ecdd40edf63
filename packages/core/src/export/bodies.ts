import { setImmediate } from "node:timers/promises";
import { sql } from "@kb/db";
import type { ReadContext } from "../context.ts";
import type { Facts } from "./front-matter.ts";
import { isExported } from "./outline.ts";

/** A document in the state in which it was read for the export. */
export type ExportedDocument = Facts & {
  readonly id: string;
  readonly revision: number;
  readonly updatedAt: Date;
  /** Empty when only `content` is needed. */
  readonly markdown: string;
  /** Editor JSON as text, read where it is needed: for HTML, and where links may have to be changed. */
  readonly content: string | null;
};

// A batch holds some hundred kilobytes: more would use memory, fewer would need a statement for each document.
const batchSize = 8;

type Batch = { readonly from: number; readonly documents: Promise<Map<string, ExportedDocument>> };

/**
 * Reads the bodies of an export in order and in small batches. While the documents of one batch are written, PostgreSQL reads the next
 * one, and no further one is in memory. Each batch applies the policy again.
 */
export class Bodies {
  readonly #context: ReadContext;
  readonly #collectionId: string;
  readonly #order: readonly string[];
  readonly #wantsContent: boolean;
  #ready = new Map<string, ExportedDocument>();
  #position = 0;
  #next: Batch | undefined;

  constructor(context: ReadContext, collectionId: string, order: readonly string[], wantsContent: boolean) {
    this.#context = context;
    this.#collectionId = collectionId;
    this.#order = order;
    this.#wantsContent = wantsContent;
  }

  /** Returns the document at an index; null when it has been deleted or hidden from the caller since. */
  async at(index: number): Promise<ExportedDocument | null> {
    if (index >= this.#position) await this.#advance(index);
    const id = this.#order[index] ?? "";
    const document = this.#ready.get(id) ?? null;
    this.#ready.delete(id);
    // Yields to other work between two documents, even when no statement is awaited.
    await setImmediate();
    return document;
  }

  async #advance(from: number): Promise<void> {
    const batch = this.#next?.from === from ? this.#next : this.#begin(from);
    this.#ready = await batch.documents;
    this.#position = from + batchSize;
    this.#next = this.#position < this.#order.length ? this.#begin(this.#position) : undefined;
  }

  #begin(from: number): Batch {
    const documents = this.#read(from);
    // A failure is that of the document that asks for the batch; an export that ends before asks for none.
    documents.catch(() => {});
    return { from, documents };
  }

  async #read(from: number): Promise<Map<string, ExportedDocument>> {
    const ids = this.#order.slice(from, from + batchSize);
    const body = this.#wantsContent
      ? sql`'' AS markdown, b.content::text AS content`
      : sql`b.markdown,
          CASE WHEN b.markdown LIKE '%/documents/%' OR b.markdown LIKE '%/files/%' THEN b.content::text END AS content`;
    const rows = await this.#context.reader.rows<ExportedDocument>(sql`
      SELECT d.id, d.title, d.emoji, d.revision, d."publishedAt", d."updatedAt", ${body},
        ARRAY(SELECT t.name FROM document_tags dt JOIN tags t ON t."teamId" = dt."teamId" AND t.id = dt."tagId"
          WHERE dt."teamId" = d."teamId" AND dt."documentId" = d.id AND NOT t.restricted ORDER BY t.name) AS tags
      FROM documents d JOIN document_bodies b ON b."teamId" = d."teamId" AND b."documentId" = d.id
      WHERE d.id = ANY(${ids}::uuid[]) AND ${isExported(this.#context, this.#collectionId)}`);
    return new Map(rows.map((row) => [row.id, row]));
  }
}
