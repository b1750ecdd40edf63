import { knownTags, readableTotalsOfTags } from "@kb/auth";
import { sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { Tag } from "./tag.ts";

type TagRow = { id: string; name: string; color: string | null; documentCount: number; restricted: boolean };

/** Lists the tags that the caller may know, by name. */
export const listTags = query({
  name: "tags.list",
  summary: "List tags",
  description:
    "A tag that only documents carry which you may not read is left out. `documentCount` counts the documents that you may read, without trash and archive. `restricted` is true for a tag that only some people see, and otherwise left out.",
  scope: "read",
  capability: "document.read",
  input: z.strictObject({}),
  output: z.array(Tag),
  async run({ reader, actor }) {
    const carriers = sql`COALESCE(n.total, 0)`;
    const rows =
      await reader.rows<TagRow>(sql`SELECT t.id, t.name, t.color, t.restricted, COALESCE(n.active, 0)::int AS "documentCount" FROM tags t
      LEFT JOIN (${readableTotalsOfTags(actor)}) n ON n."tagId" = t.id
      WHERE ${knownTags(actor, carriers)} ORDER BY t.name, t.restricted, t.id`);
    return rows.map(({ restricted, ...tag }) => (restricted ? { ...tag, restricted } : tag));
  },
});
