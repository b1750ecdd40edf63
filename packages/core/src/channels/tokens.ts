import { makeToken, storedToken } from "@kb/auth";
import { newId, sql, stampMoment } from "@kb/db";
import { z } from "zod";
import { invalid, notFound } from "../errors.ts";
import { operation, query } from "../operation.ts";
import { Name } from "../schema/names.ts";
import { Limit, Offset, pageOf } from "../schema/paging.ts";
import { Id, Instant, Timestamp, timestamp, timestampOrNull } from "../schema/text.ts";
import { requireChannel } from "./channel.ts";
import { requireAllSourcesVisible } from "./sources.ts";

const fields = {
  id: z.uuid(),
  channelId: z.uuid(),
  name: z.string(),
  prefix: z.string(),
  suffix: z.string(),
  expiresAt: Timestamp.nullable(),
  lastUsedAt: Timestamp.nullable(),
  revokedAt: Timestamp.nullable(),
  createdAt: Timestamp,
};

/** A channel token as the app shows it, without the token itself. */
export const ChannelToken = z.object(fields).meta({ id: "ChannelToken" });
/** A channel token with the token itself. Only the answer that creates it contains this. */
export const ChannelTokenWithSecret = z.object({ ...fields, token: z.string() }).meta({ id: "ChannelTokenWithSecret" });

type TokenRow = {
  id: string;
  channelId: string;
  name: string;
  prefix: string;
  suffix: string;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  createdAt: Date;
};

const select = {
  id: true,
  channelId: true,
  name: true,
  prefix: true,
  suffix: true,
  expiresAt: true,
  lastUsedAt: true,
  revokedAt: true,
  createdAt: true,
} as const;

const present = (row: TokenRow): z.input<typeof ChannelToken> => ({
  ...row,
  expiresAt: timestampOrNull(row.expiresAt),
  lastUsedAt: timestampOrNull(row.lastUsedAt),
  revokedAt: timestampOrNull(row.revokedAt),
  createdAt: timestamp(row.createdAt),
});

const forPublishers = { capability: "publishing.channels", sessionOnly: true } as const;

/** Creates a channel token. Only this answer contains the token itself. */
export const createChannelToken = operation({
  name: "channelTokens.create",
  summary: "Create a channel token",
  description:
    "Only this response contains the token. It reads the documents of this channel only. You must be allowed to read all collections of the channel.",
  scope: "write",
  ...forPublishers,
  freshProof: true,
  input: z.strictObject({ channelId: Id, name: Name, expiresAt: Instant.nullish() }),
  output: ChannelTokenWithSecret,
  async run({ tx, actor, now }, { channelId, name, expiresAt = null }) {
    const { teamId } = actor;
    if (expiresAt !== null && expiresAt <= now) throw invalid("expiresAt", "Must be in the future");
    // Locks the channel until its token is written.
    await tx.rows(sql`SELECT 1 FROM channels h WHERE h."teamId" = ${teamId}::uuid AND h.id = ${channelId}::uuid
      FOR KEY SHARE`);
    await requireChannel(tx, actor, channelId);
    await requireAllSourcesVisible(tx, actor, channelId);
    const token = makeToken("kbc_");
    const at = await stampMoment(tx, teamId, now);
    const data = { teamId, id: newId(), channelId, name, expiresAt, createdAt: at, ...storedToken(token) };
    return { ...present(await tx.channelToken.create({ data, select })), token };
  },
});

/** Lists the tokens of a channel, newest first. */
export const listChannelTokens = query({
  name: "channelTokens.list",
  summary: "List the tokens of a channel",
  description: "Revoked ones are included only with `revoked=true`.",
  scope: "read",
  ...forPublishers,
  input: z.strictObject({ channelId: Id, revoked: z.boolean().default(false), limit: Limit, offset: Offset }),
  output: pageOf(ChannelToken),
  async run({ reader, database, actor }, { channelId, revoked, limit, offset }) {
    await requireChannel(reader, actor, channelId);
    const { channelToken } = database.client;
    const where = { teamId: actor.teamId, channelId, ...(revoked ? {} : { revokedAt: null }) };
    const orderBy = [{ createdAt: "desc" }, { id: "desc" }] as const;
    const [rows, total] = await Promise.all([
      channelToken.findMany({ where, select, orderBy: [...orderBy], take: limit, skip: offset }),
      channelToken.count({ where }),
    ]);
    return { total, limit, offset, data: rows.map(present) };
  },
});

/** Revokes a token. It is refused from the next request on. A repeat keeps the time of the first call. */
export const revokeChannelToken = operation({
  name: "channelTokens.revoke",
  summary: "Revoke a channel token",
  description: "The token stops working at once; other tokens of the channel are not affected.",
  scope: "write",
  ...forPublishers,
  input: z.strictObject({ id: Id }),
  output: ChannelToken,
  async run({ tx, actor, now, audit }, { id }) {
    const { teamId } = actor;
    await tx.rows(
      sql`SELECT 1 FROM channel_tokens t WHERE t."teamId" = ${teamId}::uuid AND t.id = ${id}::uuid FOR UPDATE`,
    );
    const where = { teamId_id: { teamId, id } };
    const before = await tx.channelToken.findUnique({ where, select });
    if (before === null) throw notFound("Token");
    if (before.revokedAt !== null) {
      audit.unchanged();
      return present(before);
    }
    const at = await stampMoment(tx, teamId, now);
    return present(await tx.channelToken.update({ where, data: { revokedAt: at }, select }));
  },
});
