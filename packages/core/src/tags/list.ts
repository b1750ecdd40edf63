import { type Actor, readableDocuments, visibleTags } from "@kb/auth";
import { empty, type Sql, sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { Tag } from "./tag.ts";

type TagRow = { id: string; name: string; color: string | null; documentCount: number };

/** The select of tags with how many active documents the caller may read carry each. */
export function tagsWithCounts(actor: Actor, condition: Sql): Sql {
  // A restricted key sees a tag only through what it can read.
  const counted = actor.restrictedKeyId === null ? empty : sql`HAVING count(d.id) > 0`;
  return sql`SELECT t.id, t.name, t.color, count(d.id)::int AS "documentCount"
    FROM tags t
    LEFT JOIN document_tags dt ON dt."teamId" = t."teamId" AND dt."tagId" = t.id
    LEFT JOIN documents d ON d."teamId" = dt."teamId" AND d.id = dt."documentId" AND d."deletedAt" IS NULL
      AND d."archivedAt" IS NULL AND ${readableDocuments(actor)}
    WHERE ${visibleTags(actor)} AND ${condition}
    GROUP BY t."teamId", t.id, t.name, t.color, t.restricted ${counted} ORDER BY t.name, t.restricted, t.id`;
}

/** The tags that the caller may see, by name. */
export const listTags = query({
  name: "tags.list",
  summary: "List tags",
  description: "`documentCount` counts what the caller may read, trash and archive excluded.",
  scope: "read",
  capability: "document.read",
  input: z.strictObject({}),
  output: z.array(Tag),
  async run({ reader, actor }) {
    return reader.rows<TagRow>(tagsWithCounts(actor, sql`TRUE`));
  },
});
