import { type Sql, sql, stampChange, stampMoment } from "@kb/db";
import { z } from "zod";
import { ServiceError } from "../errors.ts";
import { emit } from "../events.ts";
import { operation, type WriteContext } from "../operation.ts";
import { Name } from "../schema/names.ts";
import { Id } from "../schema/text.ts";
import {
  ApiKey,
  type ApiKeyRow,
  ApiKeyWithRestrictions,
  ownKeys,
  presentKey,
  requireKey,
  seenKeys,
} from "./api-key.ts";
import { Restrictions, readRestrictions, writeRestrictions } from "./restrictions.ts";

const inSettings = { scope: "write", capability: "developer.api_keys", sessionOnly: true } as const;

/** Renames a key of the caller's own, or sets what it is restricted to. */
export const updateApiKey = operation({
  name: "apiKeys.update",
  summary: "Change an API key's name or restrictions",
  description:
    "The caller's own keys alone. `restrictions` replaces them as a whole, at once; null lifts them. Scopes and the end of a key stay: make another key.",
  ...inSettings,
  input: z.strictObject({ id: Id, name: Name.optional(), restrictions: Restrictions.nullable().optional() }),
  output: ApiKeyWithRestrictions,
  async run(context, { id, name, restrictions }) {
    const { tx, actor, now } = context;
    const before = await lockKey(context, ownKeys(actor), id);
    if (before.revokedAt !== null) throw new ServiceError("conflict", "The key is revoked: make another one.");
    await stampMoment(tx, actor.teamId, now);
    const restricted = restrictions === undefined ? before.restricted : restrictions !== null;
    const data = { name: name ?? before.name, restricted };
    await tx.apiKey.update({ where: { teamId_id: { teamId: actor.teamId, id } }, data });
    if (restrictions !== undefined) await writeRestrictions(tx, actor, id, restrictions);
    const after = { ...before, ...data };
    return { ...presentKey(after), restrictions: await readRestrictions(tx, actor, after) };
  },
});

/** Ends a key: the next request with it is refused. A repeat keeps the first time. */
export const revokeApiKey = operation({
  name: "apiKeys.revoke",
  summary: "Revoke an API key",
  description: "The caller's own, or anybody's for who holds `settings.members`. It stops at once.",
  ...inSettings,
  input: z.strictObject({ id: Id }),
  output: ApiKey,
  async run(context, { id }) {
    const { tx, actor, now } = context;
    const before = await lockKey(context, seenKeys(actor), id);
    if (before.revokedAt !== null) {
      context.audit.nothing();
      return presentKey(before);
    }
    const stamp = await stampChange(tx, actor.teamId, now);
    const data = { revokedAt: stamp.at };
    await tx.apiKey.update({ where: { teamId_id: { teamId: actor.teamId, id } }, data });
    const { name, userId } = before;
    await emit(tx, actor, stamp, [{ type: "api_key.revoked", data: { id, name, userId } }]);
    return presentKey({ ...before, ...data });
  },
});

async function lockKey({ tx, actor }: WriteContext, sight: Sql, id: string): Promise<ApiKeyRow> {
  await tx.rows(
    sql`SELECT 1 FROM api_keys k WHERE k."teamId" = ${actor.teamId}::uuid AND k.id = ${id}::uuid FOR UPDATE`,
  );
  return requireKey(tx, sight, id);
}
