import { makeToken, storedToken } from "@kb/auth";
import { newId, sql, stampChange, type Tx } from "@kb/db";
import { z } from "zod";
import { invalid, ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { Name } from "../schema/names.ts";
import { Instant } from "../schema/text.ts";
import { ApiKeyWithSecret, ownKeys, presentKey, requireKey, Scope } from "./api-key.ts";
import { Restrictions, readRestrictions, writeRestrictions } from "./restrictions.ts";

/** Creates an API key of the caller. Only this answer contains the key itself. */
export const createApiKey = operation({
  name: "apiKeys.create",
  summary: "Create an API key",
  description:
    "Only this response contains the key. It has at most the permissions of its owner; `restrictions` limit it to collections and documents.",
  scope: "write",
  capability: "developer.api_keys",
  sessionOnly: true,
  freshProof: true,
  input: z.strictObject({
    name: Name,
    scopes: z
      .array(Scope)
      .min(1, "Name at least one of read, write, admin")
      .transform((scopes) => [...new Set(scopes)]),
    expiresAt: Instant.nullish(),
    restrictions: Restrictions.nullish(),
  }),
  output: ApiKeyWithSecret,
  async run(context, { name, scopes, expiresAt = null, restrictions = null }) {
    const { tx, outbox, actor, now } = context;
    const { teamId, userId } = actor;
    if (expiresAt !== null && expiresAt <= now) throw invalid("expiresAt", "Must be in the future");
    await requireActiveOwner(tx, teamId, userId);
    const key = makeToken("kb_");
    const id = newId();
    const restricted = restrictions !== null;
    const stamp = await stampChange(tx, teamId, now);
    const data = { teamId, id, userId, name, scopes, restricted, expiresAt, createdAt: stamp.at };
    await tx.apiKey.create({ data: { ...data, ...storedToken(key) } });
    await writeRestrictions(tx, actor, id, restrictions);
    outbox.emit(stamp, [{ type: "api_key.created", data: { id, name, userId } }]);
    const row = await requireKey(tx, ownKeys(actor), id);
    return { ...presentKey(row), restrictions: await readRestrictions(tx, actor, row), key };
  },
});

/** Requires that the owner is not suspended: the key would not work. @throws {ServiceError} `conflict` */
async function requireActiveOwner(tx: Tx, teamId: string, userId: string): Promise<void> {
  const [owner] = await tx.rows<{ email: string; suspendedAt: Date | null }>(sql`
    SELECT u.email, u."suspendedAt" FROM users u WHERE u."teamId" = ${teamId}::uuid AND u.id = ${userId}::uuid
    FOR KEY SHARE`);
  if (owner?.suspendedAt == null) return;
  throw new ServiceError("conflict", `${owner.email} is suspended, so the key would not work.`);
}
