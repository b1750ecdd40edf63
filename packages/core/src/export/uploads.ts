import { sql } from "@kb/db";
import type { ReadContext } from "../context.ts";
import { Folder, safeName } from "./names.ts";
import { isExported } from "./outline.ts";

/** An exported attachment and its place in the archive. */
export type Upload = {
  readonly publicId: string;
  readonly storageKey: string;
  readonly contentType: string;
  readonly size: number;
  readonly createdAt: Date;
  readonly path: string;
};

type Row = Omit<Upload, "path" | "size"> & { name: string; size: bigint | number };

/** Returns the attachments that the exported documents own or mention. */
export async function uploadsOf(context: ReadContext, collectionId: string): Promise<Upload[]> {
  const teamId = sql`${context.actor.teamId}::uuid`;
  const rows = await context.reader.rows<Row>(sql`
    WITH shown AS (SELECT d.id FROM documents d WHERE ${isExported(context, collectionId)}),
    mentioned AS (SELECT DISTINCT (regexp_matches(b.markdown, '/files/([A-Za-z0-9_-]{32})/', 'g'))[1] AS "publicId"
      FROM document_bodies b JOIN shown ON shown.id = b."documentId"
      WHERE b."teamId" = ${teamId} AND b.markdown LIKE '%/files/%')
    SELECT a."publicId", a."storageKey", a.name, a."contentType", a.size, a."createdAt" FROM attachments a
    WHERE a."teamId" = ${teamId} AND a.status = 'ready' AND a."storageKey" IS NOT NULL
      AND (a."documentId" IN (SELECT id FROM shown) OR a."publicId" IN (SELECT "publicId" FROM mentioned))
    ORDER BY a."createdAt", a.id`);
  const paths = uploadPaths(rows.map((row) => row.name));
  return rows.map(({ name, size, ...row }, index) => ({ ...row, size: Number(size), path: paths[index] ?? name }));
}

/** Returns the places of attachments in the archive, by their names. Takes time in proportion to their number. */
export function uploadPaths(given: readonly string[]): string[] {
  const names = new Folder();
  return given.map((name) => `uploads/${uniqueName(names, name)}`);
}

/** Returns a unique name such as `plan (2).png`, with the number before the extension. */
function uniqueName(names: Folder, name: string): string {
  const safe = safeName(name, undefined, "file");
  const dot = safe.lastIndexOf(".");
  const [base, ending] = dot > 0 && safe.length - dot <= 16 ? [safe.slice(0, dot), safe.slice(dot)] : [safe, ""];
  return names.take(base, ending) + ending;
}
