import { type Database, sql } from "@kb/db";
import type { Actor } from "./actor.ts";
import { hashToken, isWellFormedToken } from "./api-key.ts";
import { isUseDue, recordedUse } from "./last-use.ts";

/** The reader of a publishing channel: the holder of one of its tokens, who is not a user of the team. */
export type ChannelReader = {
  readonly teamId: string;
  readonly channelId: string;
  readonly credential: { readonly kind: "channel_token"; readonly id: string; readonly name: string };
  /** The filters of the channel; a channel with neither shows nothing. */
  readonly byCollection: boolean;
  readonly byTag: boolean;
  /** The forms of the body that the channel shows besides the plain text. */
  readonly markdown: boolean;
  readonly html: boolean;
};

/** The caller of an operation: a user of a team, or the reader of a channel. */
export type Caller = Actor | ChannelReader;

/** Whether the caller is the reader of a channel; else it is a user. */
export const isChannelReader = (caller: Caller): caller is ChannelReader => "channelId" in caller;

type TokenRow = Omit<ChannelReader, "credential"> & { id: string; name: string; lastUsedAt: Date | null };

/**
 * Finds the channel of a token: one indexed look-up by its hash, none for a text that cannot be a token.
 * Returns null for an unknown, expired or revoked token, without revealing which.
 */
export async function authenticateChannelToken(
  database: Database,
  token: string,
  now: Date,
): Promise<ChannelReader | null> {
  if (!isWellFormedToken("kbc_", token)) return null;
  // The team is not known yet: the hash of the token identifies it.
  const [row] = await database.beforeTeam.rows<TokenRow>(sql`
    SELECT k."teamId", k.id, k.name, k."lastUsedAt", k."channelId", c."byCollection", c."byTag", c.markdown, c.html
    FROM channel_tokens k JOIN channels c ON c."teamId" = k."teamId" AND c.id = k."channelId"
    WHERE k.hash = ${hashToken(token)} AND k."revokedAt" IS NULL
      AND (k."expiresAt" IS NULL OR k."expiresAt" > ${now})`);
  if (row === undefined) return null;
  const { id, name, lastUsedAt, ...channel } = row;
  if (isUseDue(lastUsedAt, now)) {
    const own = sql`"teamId" = ${row.teamId}::uuid AND id = ${id}::uuid`;
    await database.execute(sql`UPDATE channel_tokens ${recordedUse(now, own)}`);
  }
  return { ...channel, credential: { kind: "channel_token", id, name } };
}
