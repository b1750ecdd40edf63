import { sql } from "@kb/db";
import { systemActor } from "../admin/actor.ts";
import { recordAudit } from "../audit/entry.ts";
import { destroyDocuments } from "../documents/destroy.ts";
import { lockTree } from "../documents/lock.ts";
import type { Service } from "../operation.ts";

/** Documents at once: the team's tree is locked meanwhile. */
const batchSize = 100;

/** Destroys what went to the trash before the moment, team by team; gives how many documents. */
export async function emptyOldTrash(service: Service, before: Date): Promise<number> {
  const teams = await service.database.acrossTeams.rows<{ teamId: string }>(
    sql`SELECT DISTINCT "teamId" FROM documents WHERE "deletedAt" < ${before}`,
  );
  let total = 0;
  for (const { teamId } of teams) total += await emptyTeam(service, teamId, before);
  return total;
}

async function emptyTeam(service: Service, teamId: string, before: Date): Promise<number> {
  const { database, clock, appUrl } = service;
  const actor = {
    ...(await systemActor(service, teamId)),
    credential: { kind: "system", id: "retention", name: "Retention" } as const,
  };
  let total = 0;
  for (;;) {
    const count = await database.transaction(async (tx) => {
      await lockTree(tx, teamId, "exclusive");
      const past = await tx.rows<{ id: string }>(sql`SELECT id FROM documents
        WHERE "teamId" = ${teamId}::uuid AND "deletedAt" < ${before} ORDER BY "deletedAt", id LIMIT ${batchSize}`);
      const now = clock.now();
      const ids = past.map((document) => document.id);
      const destroyed = await destroyDocuments({ tx, actor, now, appUrl }, ids);
      if (destroyed > 0) {
        const { userId: _, credential } = actor;
        const entry = { teamId, at: now, userId: null, credential, action: "trash.retention" };
        await recordAudit(tx, { ...entry, outcome: "success", details: { destroyed } });
      }
      return destroyed;
    });
    total += count;
    if (count < batchSize) return total;
  }
}
