import { setImmediate } from "node:timers/promises";
import { sql } from "@kb/db";
import type { ReadContext } from "../operation.ts";
import type { Facts } from "./front-matter.ts";
import { exported } from "./outline.ts";

/** A document as it was when its turn came. */
export type ExportedDocument = Facts & {
  readonly id: string;
  readonly revision: number;
  readonly updatedAt: Date;
  /** Empty where the content is what is wanted. */
  readonly markdown: string;
  /** Read where it is needed: for HTML, and where links may have to be changed. */
  readonly content: Record<string, unknown> | null;
};

// Some hundred kilobytes at a time: more would only be held, and fewer would be a statement for each document.
const atOnce = 8;

/**
 * Reads the bodies of an export in the order in which they are asked for, some at a time: what is read and not yet
 * asked for is all that is held. Each batch asks anew what the caller may see.
 */
export class Bodies {
  readonly #context: ReadContext;
  readonly #collectionId: string;
  readonly #order: readonly string[];
  readonly #wantsContent: boolean;
  #ready = new Map<string, ExportedDocument>();
  #position = 0;

  constructor(context: ReadContext, collectionId: string, order: readonly string[], wantsContent: boolean) {
    this.#context = context;
    this.#collectionId = collectionId;
    this.#order = order;
    this.#wantsContent = wantsContent;
  }

  /** The document at a place of the order; null when it is gone, or gone from the caller's sight, by now. */
  async at(index: number): Promise<ExportedDocument | null> {
    if (index >= this.#position) await this.#read(index);
    const id = this.#order[index] ?? "";
    const document = this.#ready.get(id) ?? null;
    this.#ready.delete(id);
    // Others have their turn between two documents, also where no statement is waited for.
    await setImmediate();
    return document;
  }

  async #read(from: number): Promise<void> {
    const ids = this.#order.slice(from, from + atOnce);
    const body = this.#wantsContent
      ? sql`'' AS markdown, b.content`
      : sql`b.markdown,
          CASE WHEN b.markdown LIKE '%/documents/%' OR b.markdown LIKE '%/files/%' THEN b.content END AS content`;
    const rows = await this.#context.reader.rows<ExportedDocument>(sql`
      SELECT d.id, d.title, d.emoji, d.revision, d."publishedAt", d."updatedAt", ${body},
        ARRAY(SELECT t.name FROM document_tags dt JOIN tags t ON t."teamId" = dt."teamId" AND t.id = dt."tagId"
          WHERE dt."teamId" = d."teamId" AND dt."documentId" = d.id AND NOT t.restricted ORDER BY t.name) AS tags
      FROM documents d JOIN document_bodies b ON b."teamId" = d."teamId" AND b."documentId" = d.id
      WHERE d.id = ANY(${ids}::uuid[]) AND ${exported(this.#context, this.#collectionId)}`);
    this.#ready = new Map(rows.map((row) => [row.id, row]));
    this.#position = from + atOnce;
  }
}
