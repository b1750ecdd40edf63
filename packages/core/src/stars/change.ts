import { sql } from "@kb/db";
import { z } from "zod";
import { requireAccess } from "../documents/access.ts";
import { findDocument } from "../documents/row.ts";
import { ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { maxStars, ownStars, Star } from "./star.ts";

/** Stars a document for the caller. A repeat changes nothing. */
export const createStar = operation({
  name: "stars.create",
  summary: "Star a document",
  description: `Only you see your stars, at most ${maxStars}.`,
  scope: "write",
  capability: "document.read",
  sessionOnly: true,
  input: z.strictObject({ id: Id }),
  output: Star,
  async run({ tx, actor, now, audit }, { id }) {
    requireAccess(actor, "read", await findDocument(tx, actor, id, { text: false }));
    // The lock of the user makes concurrent requests count one after another.
    const [stars] = await tx.rows<{ count: number; starred: boolean }>(sql`
      SELECT (SELECT count(*)::int FROM document_stars s WHERE ${ownStars(actor)}) AS count,
        EXISTS (SELECT 1 FROM document_stars s WHERE ${ownStars(actor)} AND s."documentId" = ${id}::uuid) AS starred
      FROM users u WHERE u."teamId" = ${actor.teamId}::uuid AND u.id = ${actor.userId}::uuid FOR NO KEY UPDATE OF u`);
    if (stars?.starred === true) {
      audit.unchanged();
      return { id, starred: true };
    }
    if (stars !== undefined && stars.count >= maxStars) {
      throw new ServiceError("conflict", `You can star at most ${maxStars} documents: remove a star first.`);
    }
    audit.setTarget("document", id);
    await tx.execute(sql`INSERT INTO document_stars ("teamId", "userId", "documentId", "createdAt")
      VALUES (${actor.teamId}::uuid, ${actor.userId}::uuid, ${id}::uuid, ${now}) ON CONFLICT DO NOTHING`);
    return { id, starred: true };
  },
});

/** Removes the caller's star of a document, whether or not they still see it. A repeat changes nothing. */
export const deleteStar = operation({
  name: "stars.delete",
  summary: "Remove the star of a document",
  scope: "write",
  capability: "document.read",
  sessionOnly: true,
  input: z.strictObject({ id: Id }),
  output: Star,
  async run({ tx, actor, audit }, { id }) {
    const removed = await tx.execute(
      sql`DELETE FROM document_stars s WHERE ${ownStars(actor)} AND s."documentId" = ${id}::uuid`,
    );
    audit.setTarget("document", id);
    if (removed === 0) audit.unchanged();
    return { id, starred: false };
  },
});
