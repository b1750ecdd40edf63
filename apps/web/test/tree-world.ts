import { invoke, operations } from "@kb/core";
import type { World } from "@kb/core/testing";
import { sql } from "@kb/db";

/** Documents that one statement creates: the time of a statement is limited. */
const batch = 1_000;

/** Creates published, empty documents in a collection, titled by their number, as fast as the database can. */
export async function fillCollection({ service, teamId }: World, collectionId: string, count: number): Promise<void> {
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

/** Returns the id of the document with a title. */
export async function findDocument({ service, teamId }: World, title: string): Promise<string> {
  const { id } = await service.database.client.document.findFirstOrThrow({ where: { teamId, title } });
  return id;
}

/** Creates a collection in which the team may write. */
export async function openCollection({ service, people, setDefaultAccess }: World, name: string): Promise<string> {
  const { id } = await invoke(service, operations.createCollection, people.admin.actor, { name });
  await setDefaultAccess(id, "write");
  return id;
}

/** Creates published documents below each other, the last one `depth` deep; returns their ids from the top. */
export async function nest({ service, people }: World, collectionId: string, depth: number): Promise<string[]> {
  const ids: string[] = [];
  for (let level = 1; level <= depth; level += 1) {
    const { id } = await invoke(service, operations.createDocument, people.admin.actor, {
      collectionId,
      parentDocumentId: ids.at(-1) ?? null,
      title: `Level ${level}`,
      publish: true,
    });
    ids.push(id);
  }
  return ids;
}
