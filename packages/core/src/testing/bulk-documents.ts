import { newId, sql } from "@kb/db";
import { indexDocument } from "../search/index.ts";
import type { World } from "./world.ts";

type Bulk = {
  readonly text: string;
  readonly titles: readonly string[];
  /** The open collection by default. */
  readonly collectionId?: string;
  /** How many minutes ago the first was changed, each other a minute earlier. By default all are changed now. */
  readonly minutesAgo?: number;
};

/** Documents that one statement creates: the time of a statement is limited. */
const batch = 1_000;

/** Creates published documents of the admin with one text, which searches find, as fast as the database can. */
export async function bulkDocuments(world: World, { titles, minutesAgo, ...bulk }: Bulk): Promise<void> {
  for (let from = 0; from < titles.length; from += batch) {
    const part = titles.slice(from, from + batch);
    await insert(world, { ...bulk, titles: part, ...(minutesAgo !== undefined && { minutesAgo: minutesAgo + from }) });
  }
}

async function insert(world: World, { text, titles, minutesAgo, collectionId }: Bulk): Promise<void> {
  const { teamId, collections, people, service } = world;
  const rows = titles.map((title) => ({ id: newId(), title }));
  const entries = rows.map(({ title }) => indexDocument({ title, tags: [], headings: [], text, addresses: [] }));
  await service.database.execute(sql`INSERT INTO documents
      ("teamId", id, title, "titleKey", "collectionId", "createdById", "runStartedAt", "publishedAt", "createdAt", "updatedAt")
    SELECT ${teamId}::uuid, x.id, x.title, lower(x.title), ${collectionId ?? collections.open}::uuid, ${people.admin.id}::uuid, now(), now(), now(),
      now() - COALESCE(make_interval(mins => ${minutesAgo ?? null}::int + x.n::int - 1), '0')
    FROM unnest(${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.title)}::text[]) WITH ORDINALITY AS x(id, title, n)`);
  await service.database.execute(sql`INSERT INTO document_bodies ("teamId", "documentId", content, text, markdown, folded, vector)
    SELECT ${teamId}::uuid, x.id, '{}'::jsonb, ${text}, ${text}, x.folded, x.vector::tsvector
    FROM unnest(${rows.map((row) => row.id)}::uuid[], ${entries.map((entry) => entry.folded)}::text[],
      ${entries.map((entry) => entry.vector)}::text[]) AS x(id, folded, vector)`);
}
