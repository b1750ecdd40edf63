import { z } from "zod";

/** The state of a document outside the trash. */
export const DocumentStatus = z.enum(["draft", "published", "archived"]);

/** Returns the state of a document. */
export function statusOf(row: { publishedAt: Date | null; archivedAt: Date | null }): z.output<typeof DocumentStatus> {
  if (row.archivedAt !== null) return "archived";
  return row.publishedAt === null ? "draft" : "published";
}
