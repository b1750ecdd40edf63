import { sql, type Tx } from "@kb/db";
import type { WriteContext } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { type Quotas, type StorageBytes, type StorageKind, storageKinds } from "./quotas.ts";
import { usageColumns, wholeTeam } from "./usage.ts";

/** The bytes by which a change grows the stored data of a user. */
export type Growth = { readonly [Kind in StorageKind]?: number };

type Usage = StorageBytes & { readonly userId: string };
type Scope = keyof Quotas;

type Quoted = Pick<WriteContext, "tx" | "actor" | "quotas">;

/** Returns the check of `requireQuota` for a change that is written later; undefined where no quota limits it. */
export function quotaCheck(context: Quoted, ownerId: string | null, growth: Growth): (() => Promise<void>) | undefined {
  if (limitedKinds(context.quotas, growth).length === 0) return undefined;
  return () => requireQuota(context, ownerId, growth);
}

/** Returns the kinds of data that grow and have a quota. */
function limitedKinds(quotas: Quotas | undefined, growth: Growth): StorageKind[] {
  const growing = storageKinds.filter((kind) => (growth[kind] ?? 0) > 0);
  return growing.filter((kind) => quotas?.team[kind] !== undefined || quotas?.user[kind] !== undefined);
}

/**
 * Requires that a change which was just written stays within the quotas of the team and of the user whose data it is; a kind
 * that does not grow is not checked. The writer holds the team's clock, so that no other change comes in between. Without
 * quotas it runs no statement.
 * @throws {ServiceError} `payload_too_large` with the usage before the change; the transaction has to roll back
 */
export function requireQuota(context: Quoted, ownerId: string | null, growth: Growth): Promise<void> {
  return requireWithin(context, ownerId, growth, "written");
}

/**
 * Requires that the quotas leave room for a change that is written later, such as by a checkpoint. Changes at the same time may
 * fit only one by one. Without quotas it runs no statement.
 * @throws {ServiceError} `payload_too_large`
 */
export function requireRoomInQuota(context: Quoted, ownerId: string | null, growth: Growth): Promise<void> {
  return requireWithin(context, ownerId, growth, "later");
}

async function requireWithin(
  { tx, actor, quotas }: Quoted,
  ownerId: string | null,
  growth: Growth,
  when: "written" | "later",
): Promise<void> {
  const limited = limitedKinds(quotas, growth);
  if (quotas === undefined || limited.length === 0) return;
  const usages = await readUsages(tx, actor.teamId, ownerId);
  for (const kind of limited) {
    for (const usage of usages) {
      const scope = usage.userId === wholeTeam ? "team" : "user";
      const limit = quotas[scope][kind];
      const needed = growth[kind] ?? 0;
      const used = when === "written" ? usage[kind] - needed : usage[kind];
      if (limit === undefined || used + needed <= limit) continue;
      throw quotaExceeded({ scope, kind, limit, needed, used, isOwn: ownerId === actor.userId });
    }
  }
}

function readUsages(tx: Tx, teamId: string, ownerId: string | null): Promise<Usage[]> {
  return tx.rows<Usage>(sql`SELECT u."userId", ${usageColumns} FROM storage_usage u
    WHERE u."teamId" = ${teamId}::uuid AND u."userId" IN (${wholeTeam}::uuid, ${ownerId ?? wholeTeam}::uuid)
    ORDER BY u."userId"`);
}

type Excess = {
  readonly scope: Scope;
  readonly kind: StorageKind;
  readonly limit: number;
  readonly needed: number;
  readonly used: number;
  readonly isOwn: boolean;
};

const variableOf: Readonly<Record<StorageKind, string>> = {
  documents: "DOCUMENT_BYTES",
  revisions: "REVISION_BYTES",
  attachments: "ATTACHMENT_BYTES",
};

const namesOf: Readonly<Record<StorageKind, string>> = {
  documents: "documents",
  revisions: "earlier revisions",
  attachments: "attachments",
};

function quotaExceeded({ scope, kind, limit, needed, used, isOwn }: Excess): ServiceError {
  const user = isOwn ? "You use" : "The author of this document uses";
  const usage = `${scope === "team" ? "The team uses" : user} ${figure(used)} of ${figure(limit)} bytes for ${namesOf[kind]}`;
  const variable = `QUOTA_${scope.toUpperCase()}_${variableOf[kind]}`;
  const message = `${usage}, and this change needs ${figure(needed)} more.`;
  return new ServiceError(
    "payload_too_large",
    `${message} Delete documents permanently, or ask the operator of the service to raise ${variable}.`,
    { details: [{ path: "quota", message, scope, kind, used, limit, needed }] },
  );
}

const figure = (bytes: number): string => bytes.toLocaleString("en");
