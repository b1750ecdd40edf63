import { makeToken, storedToken } from "@kb/auth";
import { newId, sql, stampChange, type Tx } from "@kb/db";
import { z } from "zod";
import type { WriteContext } from "../context.ts";
import { invalid, ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { type Edge, requireWholeTeam } from "../require-whole-team.ts";
import { Name } from "../schema/names.ts";
import { Instant } from "../schema/text.ts";
import { ApiKeyWithSecret, ownKeys, presentKey, requireKey, Scope } from "./api-key.ts";
import { Restrictions, readRestrictions, writeRestrictions } from "./restrictions.ts";

const creating = (edge: Edge) =>
  operation({
    ...edge,
    summary: "Create an API key",
    description:
      "Only this response contains the key. It has at most the permissions of its owner; `restrictions` limit it to collections and documents.",
    capability: "developer.api_keys",
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
      requireWholeTeam(actor, "create keys");
      await requireLifeOfKey(context, expiresAt);
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

/** Creates an API key of the caller. Only this answer contains the key itself. */
export const createApiKey = creating({ name: "apiKeys.create", scope: "write", sessionOnly: true });

/** Creates an API key of the owner of an API key of scope `admin`. */
export const createApiKeyByKey = creating({ name: "admin.apiKeys.create", scope: "admin" });

/** A key that expires must not create one that outlives it. @throws {ServiceError} `validation_error` */
async function requireLifeOfKey({ tx, actor }: WriteContext, expiresAt: Date | null): Promise<void> {
  const { teamId, credential } = actor;
  if (credential.kind !== "api_key") return;
  const where = { teamId_id: { teamId, id: credential.id } };
  const { expiresAt: end } = await tx.apiKey.findUniqueOrThrow({ where, select: { expiresAt: true } });
  if (end === null || (expiresAt !== null && expiresAt <= end)) return;
  throw invalid("expiresAt", "Must not be later than that of the key that creates it");
}

/** Requires that the owner is not suspended: the key would not work. @throws {ServiceError} `conflict` */
async function requireActiveOwner(tx: Tx, teamId: string, userId: string): Promise<void> {
  const [owner] = await tx.rows<{ email: string; suspendedAt: Date | null }>(sql`
    SELECT u.email, u."suspendedAt" FROM users u WHERE u."teamId" = ${teamId}::uuid AND u.id = ${userId}::uuid
    FOR KEY SHARE`);
  if (owner?.suspendedAt == null) return;
  throw new ServiceError("conflict", `${owner.email} is suspended, so the key would not work.`);
}
