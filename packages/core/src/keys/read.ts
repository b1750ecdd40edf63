import { empty, sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { readPage } from "../read-page.ts";
import { type Edge, requireWholeTeam } from "../require-whole-team.ts";
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
  visibleKeys,
} from "./api-key.ts";
import { readRestrictions } from "./restrictions.ts";

const inSettings = { scope: "read", capability: "developer.api_keys", sessionOnly: true } as const;

const listing = (edge: Edge) =>
  query({
    ...edge,
    summary: "List API keys",
    description:
      "Your own keys, or those of the whole team with the permission `settings.members`. Revoked ones are included only with `revoked=true`.",
    capability: "developer.api_keys",
    input: z.strictObject({
      userId: Id.optional(),
      revoked: z.boolean().default(false),
      limit: Limit,
      offset: Offset,
    }),
    output: pageOf(ApiKey),
    async run({ reader, actor }, { userId, revoked, limit, offset }) {
      requireWholeTeam(actor, "list the keys");
      const where = sql`${visibleKeys(actor)}${userId === undefined ? empty : sql` AND k."userId" = ${userId}::uuid`}${
        revoked ? empty : sql` AND k."revokedAt" IS NULL`
      }`;
      const list = {
        columns: keyColumns,
        from: sql`${fromKeys} WHERE ${where}`,
        orderBy: sql`k."createdAt" DESC, k.id DESC`,
      };
      return readPage<ApiKeyRow, z.input<typeof ApiKey>>(reader, list, { limit, offset }, presentKey);
    },
  });

/** Lists the caller's keys, newest first; those of all users for callers who may manage users. */
export const listApiKeys = listing({ name: "apiKeys.list", scope: "read", sessionOnly: true });

/** Lists the keys for an API key of scope `admin`. */
export const listApiKeysByKey = listing({ name: "admin.apiKeys.list", scope: "admin" });

/** Reads a key with its restrictions. */
export const getApiKey = query({
  name: "apiKeys.info",
  summary: "Get an API key with its restrictions",
  description: "Shows the restrictions for collections and documents that you may read.",
  ...inSettings,
  input: z.strictObject({ id: Id }),
  output: ApiKeyWithRestrictions,
  async run({ reader, actor }, { id }) {
    const row = await requireKey(reader, visibleKeys(actor), id);
    return { ...presentKey(row), restrictions: await readRestrictions(reader, actor, row) };
  },
});
