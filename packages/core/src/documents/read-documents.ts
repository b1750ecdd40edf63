import { type Sql, sql } from "@kb/db";
import type { ReadContext } from "../context.ts";
import type { BodyParts } from "./body-parts.ts";
import { type DocumentRow, documentColumns, withBodies } from "./row.ts";

/**
 * Returns a function that reads the documents with some ids, in any order.
 * @param visibility the condition on `documents d` under which they are shown, with the access that the caller has now
 */
export const documentReader =
  ({ reader, actor }: ReadContext, parts: BodyParts, visibility: Sql) =>
  (ids: readonly string[]): Promise<DocumentRow[]> =>
    reader.rows<DocumentRow>(sql`SELECT ${documentColumns(actor, parts)} FROM documents d ${withBodies}
      WHERE d."teamId" = ${actor.teamId}::uuid AND d.id = ANY (${ids}::uuid[]) AND ${visibility}`);
