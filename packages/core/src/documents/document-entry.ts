import type { Actor } from "@kb/auth";
import { type Sql, sql } from "@kb/db";
import { z } from "zod";
import { Timestamp, timestamp } from "../schema/text.ts";
import { Ancestor, ancestorsOf } from "./ancestors.ts";
import { DocumentStatus, statusOf } from "./status.ts";

/** A user as documents name them. */
export const Person = z.object({ id: z.uuid(), name: z.string() }).meta({ id: "Person" });

/** A document in a short list of the app: its name, its place, and its last change. */
export const DocumentEntry = z
  .object({
    id: z.uuid(),
    title: z.string(),
    emoji: z.string().nullable(),
    state: DocumentStatus,
    collection: z.object({ id: z.uuid(), name: z.string() }).nullable(),
    /** The documents above it that the user may see, from the top. */
    path: z.array(Ancestor),
    updatedAt: Timestamp,
    lastModifiedBy: Person.nullable(),
  })
  .meta({ id: "DocumentEntry" });

/** A row of `entryColumns`. */
export type EntryRow = {
  readonly id: string;
  readonly title: string;
  readonly emoji: string | null;
  readonly publishedAt: Date | null;
  readonly archivedAt: Date | null;
  readonly collection: { readonly id: string; readonly name: string } | null;
  readonly path: z.input<typeof Ancestor>[];
  readonly updatedAt: Date;
  readonly lastModifiedBy: z.input<typeof Person> | null;
};

/** Selects the user of a column of `documents d` as `Person`. */
export const personOf = (column: Sql): Sql => sql`(SELECT jsonb_build_object('id', u.id, 'name', u.name) FROM users u
  WHERE u."teamId" = d."teamId" AND u.id = ${column})`;

/** Returns the select list of an `EntryRow` for `documents d`, which are readable: the caller may see their collection. */
export function entryColumns(actor: Actor): Sql {
  return sql`d.id, d.title, d.emoji, d."publishedAt", d."archivedAt", d."updatedAt",
    (SELECT jsonb_build_object('id', c.id, 'name', c.name) FROM collections c
      WHERE c."teamId" = d."teamId" AND c.id = d."collectionId" AND c."deletedAt" IS NULL) AS collection,
    ${ancestorsOf(actor)} AS path, ${personOf(sql`d."lastModifiedById"`)} AS "lastModifiedBy"`;
}

/** Returns a row as lists of the app show it. */
export function presentEntry(row: EntryRow): z.input<typeof DocumentEntry> {
  return {
    id: row.id,
    title: row.title,
    emoji: row.emoji,
    state: statusOf(row),
    collection: row.collection,
    path: row.path,
    updatedAt: timestamp(row.updatedAt),
    lastModifiedBy: row.lastModifiedBy,
  };
}
