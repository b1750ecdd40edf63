import { type Actor, activeUser } from "@kb/auth";
import { empty, type Sql, sql } from "@kb/db";
import type { z } from "zod";
import type { Service } from "../context.ts";
import { transactionWithOutbox } from "../outbox.ts";
import type { ImportExplanation } from "./explanation.ts";
import { fileTtlMs, type ImportOptions, type ImportResult } from "./import-row.ts";

/** An import that a worker holds. No other worker begins it before the lease expires. */
export type ClaimedImport = {
  readonly teamId: string;
  readonly id: string;
  readonly userId: string;
  readonly collectionId: string | null;
  readonly name: string;
  readonly storageKey: string | null;
  readonly options: z.output<typeof ImportOptions>;
  /** The number of this attempt, from 1. It rejects what an earlier one still writes. */
  readonly attempts: number;
  /** The number of its workers that ended without a word. */
  readonly crashes: number;
};

/** How far an import is. */
export type ImportProgress = { readonly files: number; readonly read: number; readonly written: number };

/**
 * The end of an import. A `requeued` one is begun again by any worker; `isPlanned` if its worker ended, or its turn, and not the
 * import. `isFinal` if nothing but another file helps, so that its file is not kept.
 */
export type ImportEnd =
  | { readonly status: "done"; readonly result: z.input<typeof ImportResult> }
  | {
      readonly status: "failed";
      readonly failure: {
        readonly code: string;
        readonly message: string;
        readonly explanation: ImportExplanation | null;
      };
      readonly isFinal: boolean;
    }
  | { readonly status: "stopped" }
  | { readonly status: "requeued"; readonly isPlanned: boolean };

type Held = Pick<Service, "database" | "clock">;

/** The condition that an import `i` waits for a worker, or that its worker died. */
const isDue = (now: Date): Sql =>
  sql`i.status IN ('queued', 'running') AND (i."leaseUntil" IS NULL OR i."leaseUntil" <= ${now})`;

/**
 * Claims an import that is queued, or whose worker died: of the team whose last turn is longest ago, and in it of the user of
 * whom that holds, the one that waits longest. So no team and no user keeps the others waiting with many imports.
 */
export async function claimImport({ database, clock }: Held, leaseMs: number): Promise<ClaimedImport | null> {
  const now = clock.now();
  const lastTurn = (ofUser: Sql): Sql =>
    sql`(SELECT max(o."claimedAt") FROM imports o WHERE o."teamId" = i."teamId"${ofUser})`;
  const [claimed] = await database.acrossTeams.rows<ClaimedImport>(sql`
    WITH due AS (
      SELECT i."teamId", i.id FROM imports i WHERE ${isDue(now)}
      ORDER BY ${lastTurn(empty)} NULLS FIRST, ${lastTurn(sql` AND o."userId" = i."userId"`)} NULLS FIRST,
        COALESCE(i."queuedAt", i."createdAt"), i.id LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    UPDATE imports i SET status = 'running', "leaseUntil" = ${new Date(now.getTime() + leaseMs)}, attempts = i.attempts + 1,
      crashes = i.crashes + CASE WHEN i.status = 'running' THEN 1 ELSE 0 END, "claimedAt" = ${now},
      files = 0, read = 0, written = 0, "startedAt" = COALESCE(i."startedAt", ${now})
    FROM due WHERE i."teamId" = due."teamId" AND i.id = due.id
    RETURNING i."teamId", i.id, i."userId", i."collectionId", i.name, i."storageKey", i.options, i.attempts, i.crashes`);
  return claimed ?? null;
}

/** Returns whether an import of somebody else waits for a worker. */
export async function doOthersWait({ database, clock }: Held, { teamId, userId }: ClaimedImport): Promise<boolean> {
  const rows = await database.acrossTeams.rows(sql`SELECT 1 FROM imports i
    WHERE ${isDue(clock.now())} AND (i."teamId", i."userId") <> (${teamId}::uuid, ${userId}::uuid) LIMIT 1`);
  return rows.length > 0;
}

/** Returns the attempts of these imports that a worker holds, or may have lost only shortly ago. */
export async function findHeldAttempts(
  { database, clock }: Held,
  ids: readonly string[],
  graceMs: number,
): Promise<ReadonlyMap<string, number>> {
  const since = new Date(clock.now().getTime() - graceMs);
  const rows = await database.acrossTeams.rows<{
    id: string;
    attempts: number;
  }>(sql`SELECT i.id, i.attempts FROM imports i
    WHERE i.id = ANY(${[...ids]}::uuid[]) AND i.status = 'running' AND i."leaseUntil" > ${since}`);
  return new Map(rows.map(({ id, attempts }) => [id, attempts]));
}

const heldBy = ({ teamId, id, attempts }: ClaimedImport): Sql =>
  sql`i."teamId" = ${teamId}::uuid AND i.id = ${id}::uuid AND i.status = 'running' AND i.attempts = ${attempts}::int`;

/**
 * Writes the progress and extends the lease. Returns whether the import goes on: `stop` if its user stopped it, `lost` if another
 * worker has taken it over.
 */
export async function reportImport(
  { database, clock }: Held,
  claimed: ClaimedImport,
  { files, read, written }: ImportProgress,
  leaseMs: number,
): Promise<"go on" | "stop" | "lost"> {
  const [row] = await database.rows<{ isStopping: boolean }>(sql`UPDATE imports i SET files = ${files}::int,
      read = ${read}::int, written = ${written}::int, "leaseUntil" = ${new Date(clock.now().getTime() + leaseMs)}
    WHERE ${heldBy(claimed)} RETURNING i."isStopping"`);
  if (row === undefined) return "lost";
  return row.isStopping ? "stop" : "go on";
}

/** Records the end of an import, also in the audit log. Returns false if another worker has taken it over. */
export async function settleImport(service: Service, claimed: ClaimedImport, end: ImportEnd): Promise<boolean> {
  const { database, clock } = service;
  const now = clock.now();
  if (end.status === "requeued") {
    const changed = await database.execute(sql`UPDATE imports i SET status = 'queued', "leaseUntil" = NULL,
      crashes = i.crashes + ${end.isPlanned ? 0 : 1}::int WHERE ${heldBy(claimed)}`);
    return changed > 0;
  }
  const { teamId, userId, id } = claimed;
  const credential = credentialOf(claimed);
  const emitter = { teamId, userId, userName: credential.name, credential };
  return transactionWithOutbox(database, emitter, async (tx, outbox) => {
    const failure = end.status === "failed" ? JSON.stringify(end.failure) : null;
    const result = end.status === "done" ? JSON.stringify(end.result) : null;
    const changed =
      await tx.execute(sql`UPDATE imports i SET status = ${end.status}, "leaseUntil" = NULL, "isStopping" = false,
      failure = ${failure}::jsonb, result = ${result}::jsonb, "finishedAt" = ${now}, "fileEndsAt" = ${fileEndOf(claimed, end, now)}
      WHERE ${heldBy(claimed)}`);
    if (changed === 0) return false;
    const details = {
      status: end.status,
      ...(end.status === "failed" && { code: end.failure.code }),
      ...(end.status === "done" && { imported: end.result.imported, updated: end.result.updated }),
    };
    const target = { type: "import", id };
    const outcome = end.status === "failed" ? "failed" : "success";
    outbox.audit([{ teamId, at: now, userId, credential, action: "imports.finish", outcome, target, details }]);
    return true;
  });
}

/** Returns until when the file of an import that ends is kept: no longer than it can be continued. */
function fileEndOf(claimed: ClaimedImport, end: ImportEnd, now: Date): Date {
  return isFileUseless(claimed, end) ? now : new Date(now.getTime() + fileTtlMs);
}

/** Returns whether no further attempt of an import that ends so can need its file. */
export const isFileUseless = ({ options }: ClaimedImport, end: ImportEnd): boolean =>
  end.status === "failed" ? end.isFinal : end.status === "done" && !options.dryRun;

/** Returns the user of an import as a caller, with the rights of now; null for a deleted or suspended user. */
export function findImporter(service: Held, claimed: ClaimedImport): Promise<Actor | null> {
  const facts = { credential: credentialOf(claimed), scopes: ["read", "write"] } as const;
  return activeUser(service.database, claimed.teamId, claimed.userId, facts);
}

/** The import stands for the session in which its user began it. */
const credentialOf = ({ id }: ClaimedImport) => ({ kind: "session", id, name: "Import" }) as const;
