import type { Actor } from "@kb/auth";
import { type Sql, sql } from "@kb/db";
import { z } from "zod";

/** Whether the caller has starred a document. */
export const Star = z.object({ id: z.uuid(), starred: z.boolean() }).meta({ id: "Star" });

/** The maximum number of documents that a user may star. */
export const maxStars = 500;

/** Returns the condition on `document_stars s` that they are the caller's. */
export const ownStars = (actor: Actor): Sql =>
  sql`s."teamId" = ${actor.teamId}::uuid AND s."userId" = ${actor.userId}::uuid`;
