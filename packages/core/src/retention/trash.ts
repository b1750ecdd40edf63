import { sql } from "@kb/db";
import { systemActor } from "../admin/actor.ts";
import type { Service } from "../context.ts";
import { destroyDocuments } from "../documents/destroy.ts";
import { lockTree } from "../documents/lock.ts";
import { transactionWithOutbox } from "../outbox.ts";

/** Documents per transaction, which locks the team's tree. */
const batchSize = 100;

/** Destroys the documents that went to the trash before a time, team by team. Returns their number. */
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
    const count = await transactionWithOutbox(database, actor, async (tx, outbox) => {
      await lockTree(tx, teamId, "exclusive");
      const past = await tx.rows<{ id: string }>(sql`SELECT id FROM documents
        WHERE "teamId" = ${teamId}::uuid AND "deletedAt" < ${before} ORDER BY "deletedAt", id LIMIT ${batchSize}`);
      const now = clock.now();
      const ids = past.map((document) => document.id);
      const destroyed = await destroyDocuments({ tx, outbox, actor, now, appUrl }, ids);
      if (destroyed > 0) {
        const { credential } = actor;
        const entry = { teamId, at: now, userId: null, credential, action: "trash.retention", details: { destroyed } };
        outbox.audit([{ ...entry, outcome: "success" }]);
      }
      return destroyed;
    });
    total += count;
    if (count < batchSize) return total;
  }
}
