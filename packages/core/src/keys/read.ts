import { empty, sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { Limit, Offset, pageOf } from "../schema/paging.ts";
import { Id } from "../schema/text.ts";
import {
  ApiKey,
  type ApiKeyRow,
  ApiKeyWithRestrictions,
  fromKeys,
  keyColumns,
  presentKey,
  requireKey,
  seenKeys,
} from "./api-key.ts";
import { readRestrictions } from "./restrictions.ts";

const inSettings = { scope: "read", capability: "developer.api_keys", sessionOnly: true } as const;

/** The caller's keys, newest first; everybody's for those who look after the team's people. */
export const listApiKeys = query({
  name: "apiKeys.list",
  summary: "List API keys",
  description:
    "The caller's own; those of the whole team for who holds `settings.members`. Revoked ones are left out unless `revoked` is true.",
  ...inSettings,
  input: z.strictObject({
    userId: Id.optional(),
    revoked: z.boolean().default(false),
    limit: Limit,
    offset: Offset,
  }),
  output: pageOf(ApiKey),
  async run({ reader, actor }, { userId, revoked, limit, offset }) {
    const where = sql`${seenKeys(actor)}${userId === undefined ? empty : sql` AND k."userId" = ${userId}::uuid`}${
      revoked ? empty : sql` AND k."revokedAt" IS NULL`
    }`;
    const [rows, [counted]] = await Promise.all([
      reader.rows<ApiKeyRow>(sql`SELECT ${keyColumns} FROM ${fromKeys} WHERE ${where}
        ORDER BY k."createdAt" DESC, k.id DESC LIMIT ${limit} OFFSET ${offset}`),
      reader.rows<{ total: number }>(sql`SELECT count(*)::int AS total FROM ${fromKeys} WHERE ${where}`),
    ]);
    return { total: counted?.total ?? 0, limit, offset, data: rows.map(presentKey) };
  },
});

/** One key with what it is restricted to. */
export const getApiKey = query({
  name: "apiKeys.info",
  summary: "Get an API key with its restrictions",
  description: "Of the restrictions those are shown whose collections and documents the caller may read.",
  ...inSettings,
  input: z.strictObject({ id: Id }),
  output: ApiKeyWithRestrictions,
  async run({ reader, actor }, { id }) {
    const row = await requireKey(reader, seenKeys(actor), id);
    return { ...presentKey(row), restrictions: await readRestrictions(reader, actor, row) };
  },
});
