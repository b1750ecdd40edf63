import { type Actor, holds } from "@kb/auth";
import { type Reader, type Sql, sql } from "@kb/db";
import { z } from "zod";
import { notFound } from "../errors.ts";
import { Timestamp, timestamp, timestampOrNull } from "../schema/text.ts";

/** A scope of a credential. */
export const Scope = z.enum(["read", "write", "admin"]);

/** An API key as the app shows it. `prefix` and `suffix` identify the key, which is not stored. */
const fields = {
  id: z.uuid(),
  name: z.string(),
  owner: z.object({ id: z.uuid(), name: z.string() }),
  scopes: z.array(Scope),
  restricted: z.boolean(),
  prefix: z.string(),
  suffix: z.string(),
  expiresAt: Timestamp.nullable(),
  lastUsedAt: Timestamp.nullable(),
  revokedAt: Timestamp.nullable(),
  createdAt: Timestamp,
};
/** An API key without the key itself. */
export const ApiKey = z.object(fields).meta({ id: "ApiKey" });

const Level = z.enum(["none", "read", "write"]);

/** The access of a restricted key, by id. Everything else is `none`. Null for a key that is not restricted. */
export const KeyRestrictions = z
  .object({ collections: z.record(z.uuid(), Level), documents: z.record(z.uuid(), Level) })
  .nullable();
/** An API key with its restrictions. */
export const ApiKeyWithRestrictions = z
  .object({ ...fields, restrictions: KeyRestrictions })
  .meta({ id: "ApiKeyWithRestrictions" });

/** An API key with the key itself. Only the answer that creates it contains this. */
export const ApiKeyWithSecret = z
  .object({ ...fields, restrictions: KeyRestrictions, key: z.string() })
  .meta({ id: "ApiKeyWithSecret" });

/** A row of `keyColumns`. */
export type ApiKeyRow = {
  readonly id: string;
  readonly name: string;
  readonly userId: string;
  readonly userName: string;
  readonly scopes: z.output<typeof Scope>[];
  readonly restricted: boolean;
  readonly prefix: string;
  readonly suffix: string;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly createdAt: Date;
};

/** `api_keys k` with its owner. */
export const fromKeys = sql`api_keys k JOIN users u ON u."teamId" = k."teamId" AND u.id = k."userId"`;
/** The select list for `fromKeys`. */
export const keyColumns = sql`k.id, k.name, k."userId", u.name AS "userName", k.scopes, k.restricted, k.prefix, k.suffix,
  k."expiresAt", k."lastUsedAt", k."revokedAt", k."createdAt"`;

/** Condition on `api_keys k`: the caller's own keys, or all for callers who may manage users. */
export function visibleKeys(actor: Actor): Sql {
  const team = sql`k."teamId" = ${actor.teamId}::uuid`;
  return holds(actor, "settings.members") ? team : ownKeys(actor);
}

/** Condition on `api_keys k`: the caller's own keys. */
export const ownKeys = (actor: Actor): Sql =>
  sql`k."teamId" = ${actor.teamId}::uuid AND k."userId" = ${actor.userId}::uuid`;

/** Returns the key as the contract shows it. */
export function presentKey(row: ApiKeyRow): z.input<typeof ApiKey> {
  const { id, name, scopes, restricted, prefix, suffix } = row;
  return {
    id,
    name,
    scopes,
    restricted,
    prefix,
    suffix,
    owner: { id: row.userId, name: row.userName },
    expiresAt: timestampOrNull(row.expiresAt),
    lastUsedAt: timestampOrNull(row.lastUsedAt),
    revokedAt: timestampOrNull(row.revokedAt),
    createdAt: timestamp(row.createdAt),
  };
}

/** Reads a key that the condition on `api_keys k` selects. @throws {ServiceError} `not_found` */
export async function requireKey(reader: Reader, visible: Sql, id: string): Promise<ApiKeyRow> {
  const [row] = await reader.rows<ApiKeyRow>(sql`SELECT ${keyColumns} FROM ${fromKeys}
    WHERE ${visible} AND k.id = ${id}::uuid`);
  if (row === undefined) throw notFound("API key");
  return row;
}
