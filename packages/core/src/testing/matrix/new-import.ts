import { newId } from "@kb/db";
import type { CaseInput } from "../operation-case.ts";

/** The id of a new import of the admin, whose file is there. */
export const newImport =
  (status: "queued" | "stopped"): CaseInput =>
  async ({ world, collectionId }) => {
    const { teamId, userId } = world.people.admin.actor;
    const id = newId();
    const now = new Date();
    await world.service.database.client.import.create({
      data: {
        teamId,
        id,
        userId,
        collectionId,
        name: "notes.zip",
        size: 100,
        options: { dryRun: false, update: false, publish: true, textTags: false, newCollection: null },
        status,
        uploadHash: new Uint8Array(32),
        uploadExpiresAt: now,
        storageKey: `${teamId}/imports/${id}/file`,
        createdAt: now,
      },
    });
    return { id };
  };
