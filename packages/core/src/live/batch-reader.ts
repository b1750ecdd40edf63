import type { Database } from "@kb/db";
import type { z } from "zod";
import { type BatchRow, batchesAfter, type LiveBatch, presentBatch } from "./batch-rows.ts";
import type { DocumentKey } from "./unsaved-document.ts";

/** A batch as clients receive it, the same object for all of them. */
export type SharedBatch = z.input<typeof LiveBatch>;

/** Reads batches once for all who follow a document at the same version, in one round of the feed. */
export class BatchReader {
  readonly #database: Database;
  readonly #pages = new Map<string, Promise<readonly SharedBatch[]>>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the first batches after a version, in order. */
  after(key: DocumentKey, version: number): Promise<readonly SharedBatch[]> {
    const name = `${key.teamId} ${key.documentId} ${version}`;
    const known = this.#pages.get(name);
    if (known !== undefined) return known;
    const page = this.#database.rows<BatchRow>(batchesAfter(key, version)).then((rows) => rows.map(presentBatch));
    this.#pages.set(name, page);
    return page;
  }
}
