import { documentsOfDrafts, dropDrafts } from "./draft-store.ts";
import { documentsOfSessions, dropSessions } from "./kept-sessions.ts";

/** Returns the number of documents of which only this device has text by a user, as Markdown or from the editor. */
export async function countKept(userId: string): Promise<number> {
  const found = await Promise.all([documentsOfDrafts(userId), documentsOfSessions(userId)]);
  return new Set(found.flat()).size;
}

/** Deletes all that this device has of a user's texts. */
export async function dropKept(userId: string): Promise<void> {
  await Promise.all([dropDrafts(userId), dropSessions(userId)]);
}
