import { sql } from "@kb/db";
import type { Service } from "../context.ts";

/** Documents that one statement creates: the time of a statement is limited. */
const batch = 1_000;

type Place = { readonly service: Service; readonly teamId: string };

/** Creates published, empty documents in a collection, titled by their number, as fast as the database can. */
export async function fillCollection({ service, teamId }: Place, collectionId: string, count: number): Promise<void> {
  for (let first = 1; first <= count; first += batch) {
    await service.database.execute(sql`INSERT INTO documents ("teamId", id, title, "titleKey", "collectionId", "sortOrder",
        "runStartedAt", "publishedAt", "createdAt", "updatedAt")
      SELECT ${teamId}::uuid, gen_random_uuid(), 'Page ' || lpad(n::text, 5, '0'), 'page ' || lpad(n::text, 5, '0'),
        ${collectionId}::uuid, n, now(), now(), now(), now()
      FROM generate_series(${first}::int, ${Math.min(count, first + batch - 1)}::int) n`);
    await service.database.execute(sql`INSERT INTO document_bodies ("teamId", "documentId", content, text, markdown)
      SELECT d."teamId", d.id, '{"type":"doc","content":[{"type":"paragraph"}]}', '', '' FROM documents d
      WHERE d."teamId" = ${teamId}::uuid AND d."collectionId" = ${collectionId}::uuid
        AND NOT EXISTS (SELECT FROM document_bodies b WHERE b."teamId" = d."teamId" AND b."documentId" = d.id)`);
  }
}
