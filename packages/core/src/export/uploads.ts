import { sql } from "@kb/db";
import type { ReadContext } from "../operation.ts";
import { Folder, safeName } from "./names.ts";
import { exported } from "./outline.ts";

/** An attachment that goes along, and its place in the archive. */
export type Upload = {
  readonly publicId: string;
  readonly storageKey: string;
  readonly contentType: string;
  readonly size: number;
  readonly createdAt: Date;
  readonly path: string;
};

type Row = Omit<Upload, "path" | "size"> & { name: string; size: bigint | number };

/** The attachments that the exported documents own or mention. */
export async function uploadsOf(context: ReadContext, collectionId: string): Promise<Upload[]> {
  const teamId = sql`${context.actor.teamId}::uuid`;
  const rows = await context.reader.rows<Row>(sql`
    WITH shown AS (SELECT d.id FROM documents d WHERE ${exported(context, collectionId)}),
    mentioned AS (SELECT DISTINCT (regexp_matches(b.markdown, '/files/([A-Za-z0-9_-]{32})/', 'g'))[1] AS "publicId"
      FROM document_bodies b JOIN shown ON shown.id = b."documentId"
      WHERE b."teamId" = ${teamId} AND b.markdown LIKE '%/files/%')
    SELECT a."publicId", a."storageKey", a.name, a."contentType", a.size, a."createdAt" FROM attachments a
    WHERE a."teamId" = ${teamId} AND a.status = 'ready' AND a."storageKey" IS NOT NULL
      AND (a."documentId" IN (SELECT id FROM shown) OR a."publicId" IN (SELECT "publicId" FROM mentioned))
    ORDER BY a."createdAt", a.id`);
  const names = new Folder();
  return rows.map(({ name, size, ...row }) => ({ ...row, size: Number(size), path: `uploads/${placed(names, name)}` }));
}

/** `plan (2).png`: the number comes before the ending. */
function placed(names: Folder, name: string): string {
  const safe = safeName(name, undefined, "file");
  const dot = safe.lastIndexOf(".");
  const [base, ending] = dot > 0 && safe.length - dot <= 16 ? [safe.slice(0, dot), safe.slice(dot)] : [safe, ""];
  return names.take(base, ending) + ending;
}
