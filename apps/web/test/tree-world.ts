import { invoke, operations } from "@kb/core";
import type { World } from "@kb/core/testing";

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
