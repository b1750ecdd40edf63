import { type Database, sql } from "@kb/db";
import { type DocumentFacts, decideDocument } from "./access.ts";
import { activeUserOf } from "./active-user.ts";
import { type ActorRow, actorColumns } from "./actor-row.ts";
import { collectionLevelOfUser } from "./readable.ts";

/** A user, and a document of their team. */
export type UserOfDocument = { readonly teamId: string; readonly userId: string; readonly documentId: string };

/** The rights of a user in a document, and their name. */
export type RightsInDocument = { readonly userName: string; readonly canWrite: boolean };

type Row = ActorRow & Omit<DocumentFacts, "keyLevel"> & { readonly place: number };

/**
 * Reads what users may do in documents with a log-in, as it is now: one statement for all of them, in any team. The answers have
 * the order of the questions; null where the document is hidden or gone, and for a user who is suspended or gone.
 */
export async function readRightsInDocuments(
  { acrossTeams }: Database,
  asked: readonly UserOfDocument[],
): Promise<(RightsInDocument | null)[]> {
  const answers = asked.map((): RightsInDocument | null => null);
  if (asked.length === 0) return answers;
  const rows = await acrossTeams.rows<Row>(sql`
    SELECT f.place, ${actorColumns},
      d."createdById", d."publishedAt", d."deletedAt", CASE WHEN c.id IS NULL THEN NULL ELSE ${collectionLevelOfUser()} END AS level
    FROM unnest(${asked.map(({ teamId }) => teamId)}::uuid[], ${asked.map(({ userId }) => userId)}::uuid[],
      ${asked.map(({ documentId }) => documentId)}::uuid[]) WITH ORDINALITY AS f("teamId", "userId", "documentId", place)
    JOIN users u ON u."teamId" = f."teamId" AND u.id = f."userId" AND u."suspendedAt" IS NULL
    JOIN documents d ON d."teamId" = f."teamId" AND d.id = f."documentId"
    LEFT JOIN collections c ON c."teamId" = d."teamId" AND c.id = d."collectionId"`);
  for (const { place, createdById, publishedAt, deletedAt, level, ...user } of rows) {
    const actor = activeUserOf(user);
    const facts = { createdById, publishedAt, deletedAt, level, keyLevel: null };
    if (decideDocument(actor, "read", facts) !== "allow") continue;
    const canWrite = decideDocument(actor, "edit", facts) === "allow";
    answers[Number(place) - 1] = { userName: user.userName, canWrite };
  }
  return answers;
}
