import { sql } from "@kb/db";
import type { Service } from "../context.ts";

/** Documents that one statement creates. The time of a statement is limited, so each does the same small piece of the work. */
const batch = 100;

type Place = { readonly service: Service; readonly teamId: string };

/** Creates published, empty documents in a collection, titled by their number, as fast as the database can. */
export async function fillCollection({ service, teamId }: Place, collectionId: string, count: number): Promise<void> {
  for (let first = 1; first <= count; first += batch) {
    await service.database.execute(sql`WITH created AS (
        INSERT INTO documents ("teamId", id, title, "titleKey", "collectionId", "sortOrder",
          "runStartedAt", "publishedAt", "createdAt", "updatedAt", bytes, "revisionBytes")
        SELECT ${teamId}::uuid, gen_random_uuid(), 'Page ' || lpad(n::text, 5, '0'), 'page ' || lpad(n::text, 5, '0'),
          ${collectionId}::uuid, n, now(), now(), now(), now(), 0, 0
        FROM generate_series(${first}::int, ${Math.min(count, first + batch - 1)}::int) n
        RETURNING "teamId", id)
      INSERT INTO document_bodies ("teamId", "documentId", content, text, markdown)
      SELECT "teamId", id, '{"type":"doc","content":[{"type":"paragraph"}]}', '', '' FROM created`);
  }
}
