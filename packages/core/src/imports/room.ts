import type { Actor } from "@kb/auth";
import { type Reader, sql } from "@kb/db";
import { type Files, requireFiles } from "../attachments/files.ts";
import type { Service, WriteContext } from "../context.ts";
import { ServiceError } from "../errors.ts";
import type { Quotas } from "../quotas/quotas.ts";
import { dropImportFile } from "./clean-up.ts";
import { sizeInWords } from "./size-in-words.ts";

/** Imports of one user, and of one team, that have a file or wait for one. */
const maxOfUser = 3;
const maxOfTeam = 20;
/** The bytes that they may have where no quota says it, in files of the maximum size. */
const largestOfUser = 2;
const largestOfTeam = 4;

const defaultMaxBytes = 512 * 1024 * 1024;

/** Returns the maximum size of a file to import, in bytes. */
export const maxImportBytesOf = ({ maxImportBytes = defaultMaxBytes }: Files): number => maxImportBytes;

/** An import that has a file or waits for one. */
type Stored = { readonly id: string; readonly userId: string; readonly size: number; readonly isOpen: boolean };
type Limits = { readonly bytesOfUser: number; readonly bytesOfTeam: number };
type Limited = { readonly files?: Files | undefined; readonly quotas?: Quotas | undefined };

function limitsOf(service: Limited): Limits {
  const largest = maxImportBytesOf(requireFiles(service));
  const { quotas } = service;
  const bytesOfTeam = quotas?.team.imports ?? largestOfTeam * largest;
  // Nobody takes the room of the whole team, unless a file of the maximum size needs it.
  const largestShare = Math.max(largest, Math.floor(bytesOfTeam / 2));
  return { bytesOfUser: quotas?.user.imports ?? Math.min(largestOfUser * largest, largestShare), bytesOfTeam };
}

/** Reads the imports of a team that have a file or wait for one, those that ended first before the others. */
function readStored(reader: Reader, { teamId }: Actor, now: Date): Promise<Stored[]> {
  return reader.rows<Stored>(sql`SELECT i.id, i."userId", i.size::float8 AS size,
      i.status IN ('waiting', 'queued', 'running') AS "isOpen"
    FROM imports i WHERE i."teamId" = ${teamId}::uuid AND (i."storageKey" IS NOT NULL OR i.status IN ('queued', 'running')
      OR (i.status = 'waiting' AND i."uploadExpiresAt" > ${now}))
    ORDER BY i."finishedAt" NULLS LAST, i.id`);
}

const sumOf = (stored: readonly Stored[]): number => stored.reduce((sum, { size }) => sum + size, 0);

/**
 * Removes files of imports that have ended, which are kept only so that they can be continued, where a new import needs their room:
 * first the caller's, then the team's, the oldest first.
 */
export async function makeRoomForImport(service: Service, actor: Actor, size: number): Promise<void> {
  const limits = limitsOf(service);
  const stored = await readStored(service.database, actor, service.clock.now());
  const own = stored.filter(({ userId }) => userId === actor.userId);
  const dropped = new Set<string>();
  const drop = async (kept: readonly Stored[], maxCount: number, maxBytes: number): Promise<void> => {
    let left = kept.filter(({ id }) => !dropped.has(id));
    for (const { id, isOpen } of left) {
      if (left.length < maxCount && sumOf(left) + size <= maxBytes) return;
      if (isOpen) continue;
      await dropImportFile(service, { teamId: actor.teamId, id });
      dropped.add(id);
      left = left.filter((each) => each.id !== id);
    }
  };
  // What the files of those that go on leave no room for is refused: then nothing is removed.
  const fits = (all: readonly Stored[], maxCount: number, maxBytes: number): boolean => {
    const open = all.filter(({ isOpen }) => isOpen);
    return open.length < maxCount && sumOf(open) + size <= maxBytes;
  };
  if (!fits(own, maxOfUser, limits.bytesOfUser) || !fits(stored, maxOfTeam, limits.bytesOfTeam)) return;
  await drop(own, maxOfUser, limits.bytesOfUser);
  await drop(stored, maxOfTeam, limits.bytesOfTeam);
}

/**
 * Requires that the user and the team have room for one more import, of a file of this size. Calls take turns.
 * @throws {ServiceError} `conflict` for too many at once, `payload_too_large` for too many bytes
 */
export async function requireRoomForImport(context: WriteContext, size: number): Promise<void> {
  const { tx, actor, now } = context;
  const limits = limitsOf(context);
  await tx.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`imports ${actor.teamId}`}, 0))::text`);
  const stored = await readStored(tx, actor, now);
  const own = stored.filter(({ userId }) => userId === actor.userId);
  const open = own.filter(({ isOpen }) => isOpen).length;
  if (open >= maxOfUser) {
    throw new ServiceError("conflict", `You have ${open} imports that have not ended: wait, or stop one first.`);
  }
  if (stored.filter(({ isOpen }) => isOpen).length >= maxOfTeam) {
    throw new ServiceError("conflict", "Your team has too many imports at once: try again when some have ended.");
  }
  if (size === 0) return;
  requireBytes({ scope: "user", used: sumOf(own), needed: size, limit: limits.bytesOfUser });
  requireBytes({ scope: "team", used: sumOf(stored), needed: size, limit: limits.bytesOfTeam });
}

type Bytes = {
  readonly scope: "user" | "team";
  readonly used: number;
  readonly needed: number;
  readonly limit: number;
};

function requireBytes({ scope, used, needed, limit }: Bytes): void {
  if (used + needed <= limit) return;
  const who = scope === "user" ? "Your files to import have" : "The files that your team imports have";
  const message = `${who} ${sizeInWords(used)} of ${sizeInWords(limit)}, and this one needs ${sizeInWords(needed)} more.`;
  const variable = `QUOTA_${scope.toUpperCase()}_IMPORT_BYTES`;
  throw new ServiceError(
    "payload_too_large",
    `${message} Wait until an import has ended, or ask the operator of the service to raise ${variable}.`,
    { details: [{ path: "quota", message, scope, kind: "imports", used, limit, needed }] },
  );
}
