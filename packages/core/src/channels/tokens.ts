import { makeToken, storedToken } from "@kb/auth";
import { newId, sql, stampMoment } from "@kb/db";
import { z } from "zod";
import { invalid, notFound } from "../errors.ts";
import { operation, query } from "../operation.ts";
import { Name } from "../schema/names.ts";
import { Limit, Offset, pageOf } from "../schema/paging.ts";
import { Id, Instant, Timestamp, timestamp, timestampOrNull } from "../schema/text.ts";
import { requireChannel } from "./channel.ts";
import { requireWholeSight } from "./sources.ts";

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

/** A channel token as the app shows it: never the token itself. */
export const ChannelToken = z.object(fields).meta({ id: "ChannelToken" });
/** The one answer that holds the token itself. */
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
  ...{ id: true, channelId: true, name: true, prefix: true, suffix: true },
  ...{ expiresAt: true, lastUsedAt: true, revokedAt: true, createdAt: true },
} as const;

const present = (row: TokenRow): z.input<typeof ChannelToken> => ({
  ...row,
  expiresAt: timestampOrNull(row.expiresAt),
  lastUsedAt: timestampOrNull(row.lastUsedAt),
  revokedAt: timestampOrNull(row.revokedAt),
  createdAt: timestamp(row.createdAt),
});

const forPublishers = { capability: "publishing.channels", sessionOnly: true } as const;

/** Makes a token of a channel. The token itself is in the answer and nowhere else. */
export const createChannelToken = operation({
  name: "channelTokens.create",
  summary: "Create a token of a channel",
  description:
    "The token is in this answer and nowhere else. It reads this channel's documents, and nothing else. Only who may read the channel's collections makes one.",
  scope: "write",
  ...forPublishers,
  input: z.strictObject({ channelId: Id, name: Name, expiresAt: Instant.nullish() }),
  output: ChannelTokenWithSecret,
  async run({ tx, actor, now }, { channelId, name, expiresAt = null }) {
    const { teamId } = actor;
    if (expiresAt !== null && expiresAt <= now) throw invalid("expiresAt", "Must be in the future");
    // Locked, so that the channel is there until its token is.
    await tx.rows(sql`SELECT 1 FROM channels h WHERE h."teamId" = ${teamId}::uuid AND h.id = ${channelId}::uuid
      FOR KEY SHARE`);
    await requireChannel(tx, actor, channelId);
    await requireWholeSight(tx, actor, channelId);
    const token = makeToken("kbc_");
    const at = await stampMoment(tx, teamId, now);
    const data = { teamId, id: newId(), channelId, name, expiresAt, createdAt: at, ...storedToken(token) };
    return { ...present(await tx.channelToken.create({ data, select })), token };
  },
});

/** The tokens of a channel, newest first. */
export const listChannelTokens = query({
  name: "channelTokens.list",
  summary: "List the tokens of a channel",
  description: "Revoked ones are left out unless `revoked` is true.",
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

/** Ends a token: the next request with it is refused. A repeat keeps the first time. */
export const revokeChannelToken = operation({
  name: "channelTokens.revoke",
  summary: "Revoke a token of a channel",
  description: "It stops at once; other tokens of the channel go on.",
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
      audit.nothing();
      return present(before);
    }
    const at = await stampMoment(tx, teamId, now);
    return present(await tx.channelToken.update({ where, data: { revokedAt: at }, select }));
  },
});
