import { type Sql, sql, stampChange, stampMoment } from "@kb/db";
import { z } from "zod";
import type { WriteContext } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { Name } from "../schema/names.ts";
import { Id } from "../schema/text.ts";
import {
  ApiKey,
  type ApiKeyRow,
  ApiKeyWithRestrictions,
  ownKeys,
  presentKey,
  requireKey,
  visibleKeys,
} from "./api-key.ts";
import { Restrictions, readRestrictions, writeRestrictions } from "./restrictions.ts";

const inSettings = { scope: "write", capability: "developer.api_keys", sessionOnly: true } as const;

/** Renames one of the caller's keys or sets its restrictions. */
export const updateApiKey = operation({
  name: "apiKeys.update",
  summary: "Update an API key's name or restrictions",
  description:
    "Only your own keys. `restrictions` replaces all restrictions at once; null removes them. Scopes and expiry cannot change: create another key.",
  ...inSettings,
  freshProof: true,
  input: z.strictObject({ id: Id, name: Name.optional(), restrictions: Restrictions.nullable().optional() }),
  output: ApiKeyWithRestrictions,
  async run(context, { id, name, restrictions }) {
    const { tx, actor, now } = context;
    const before = await lockKey(context, ownKeys(actor), id);
    if (before.revokedAt !== null) throw new ServiceError("conflict", "The key is revoked. Create another one.");
    await stampMoment(tx, actor.teamId, now);
    const restricted = restrictions === undefined ? before.restricted : restrictions !== null;
    const data = { name: name ?? before.name, restricted };
    await tx.apiKey.update({ where: { teamId_id: { teamId: actor.teamId, id } }, data });
    if (restrictions !== undefined) await writeRestrictions(tx, actor, id, restrictions);
    const after = { ...before, ...data };
    return { ...presentKey(after), restrictions: await readRestrictions(tx, actor, after) };
  },
});

/** Revokes a key. It is refused from the next request on. A repeat keeps the time of the first call. */
export const revokeApiKey = operation({
  name: "apiKeys.revoke",
  summary: "Revoke an API key",
  description: "Your own key, or any key with the permission `settings.members`. It stops working at once.",
  ...inSettings,
  input: z.strictObject({ id: Id }),
  output: ApiKey,
  async run(context, { id }) {
    const { tx, outbox, actor, now } = context;
    const before = await lockKey(context, visibleKeys(actor), id);
    if (before.revokedAt !== null) {
      context.audit.unchanged();
      return presentKey(before);
    }
    const stamp = await stampChange(tx, actor.teamId, now);
    const data = { revokedAt: stamp.at };
    await tx.apiKey.update({ where: { teamId_id: { teamId: actor.teamId, id } }, data });
    const { name, userId } = before;
    outbox.emit(stamp, [{ type: "api_key.revoked", data: { id, name, userId } }]);
    return presentKey({ ...before, ...data });
  },
});

async function lockKey({ tx, actor }: WriteContext, visible: Sql, id: string): Promise<ApiKeyRow> {
  await tx.rows(
    sql`SELECT 1 FROM api_keys k WHERE k."teamId" = ${actor.teamId}::uuid AND k.id = ${id}::uuid FOR UPDATE`,
  );
  return requireKey(tx, visible, id);
}
