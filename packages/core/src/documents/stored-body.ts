import { type Actor, visibleDocument } from "@kb/auth";
import { type Reader, sql } from "@kb/db";
import { type LiveVersions, liveVersions } from "../live/versions.ts";
import type { Labels } from "./body.ts";
import { withFacts } from "./row.ts";

/** A document's body as it is stored, with the title and the unrestricted tags that its search index holds beside it. */
export type StoredBody = Labels & {
  readonly revision: number;
  /** Editor JSON as text: it is not parsed on the event loop. */
  readonly content: string;
  readonly markdown: string;
  readonly text: string;
  /** Where its log stands; null without one. */
  readonly live: LiveVersions | null;
};

/** The labels of `documents d`. */
export const labelColumns = sql`d.title,
  ARRAY(SELECT t.name FROM document_tags dt JOIN tags t ON t."teamId" = dt."teamId" AND t.id = dt."tagId"
    WHERE dt."teamId" = d."teamId" AND dt."documentId" = d.id AND NOT t.restricted ORDER BY t.name) AS tags`;

/** Reads a body: 1 statement. Null for a document that is hidden from the caller, as for one that does not exist. */
export async function readStoredBody(reader: Reader, actor: Actor, id: string): Promise<StoredBody | null> {
  const [row] = await reader.rows<StoredBody>(sql`
    SELECT d.revision, ${labelColumns}, b.content::text AS content, b.markdown, b.text, ${liveVersions} AS live
    FROM documents d JOIN document_bodies b ON b."teamId" = d."teamId" AND b."documentId" = d.id ${withFacts(actor)}
    WHERE d."teamId" = ${actor.teamId}::uuid AND d.id = ${id}::uuid AND ${visibleDocument(actor)}`);
  return row ?? null;
}

/** Reads the title and the unrestricted tags: 1 statement. Null as for `readStoredBody`. */
export async function readLabels(reader: Reader, actor: Actor, id: string): Promise<Labels | null> {
  const [row] = await reader.rows<Labels>(sql`SELECT ${labelColumns} FROM documents d ${withFacts(actor)}
    WHERE d."teamId" = ${actor.teamId}::uuid AND d.id = ${id}::uuid AND ${visibleDocument(actor)}`);
  return row ?? null;
}
