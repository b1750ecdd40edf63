import { readableTotalsOfTags, visibleTags } from "@kb/auth";
import { empty, sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { Tag } from "./tag.ts";

type TagRow = { id: string; name: string; color: string | null; documentCount: number };

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
    // A restricted key sees a tag only through what it can read.
    const seen = actor.restrictedKeyId === null ? empty : sql` AND n.total > 0`;
    return reader.rows<TagRow>(sql`SELECT t.id, t.name, t.color, COALESCE(n.total, 0)::int AS "documentCount" FROM tags t
      LEFT JOIN (${readableTotalsOfTags(actor, sql`d."archivedAt" IS NULL`)}) n ON n."tagId" = t.id
      WHERE ${visibleTags(actor)}${seen} ORDER BY t.name, t.restricted, t.id`);
  },
});
