import { newId, sql, stampMoment } from "@kb/db";
import { z } from "zod";
import { notFound } from "../errors.ts";
import { operation, query } from "../operation.ts";
import { setChannelSources } from "../published/sources.ts";
import { Name } from "../schema/names.ts";
import { Limit, Offset, pageOf } from "../schema/paging.ts";
import { Id } from "../schema/text.ts";
import { Channel, type ChannelRow, channelColumns, presentChannel, requireChannel } from "./channel.ts";
import { requireNarrowed, requireSources, sourceFields, sourcesAfter } from "./sources.ts";

const forPublishers = { capability: "publishing.channels", sessionOnly: true } as const;
const Format = z.strictObject({ markdown: z.boolean().optional(), html: z.boolean().optional() });

/** Lists the channels of the team by name. */
export const listChannels = query({
  name: "channels.list",
  summary: "List publishing channels",
  scope: "read",
  ...forPublishers,
  input: z.strictObject({ limit: Limit, offset: Offset }),
  output: pageOf(Channel),
  async run({ reader, actor }, { limit, offset }) {
    const where = sql`h."teamId" = ${actor.teamId}::uuid`;
    const [rows, [counted]] = await Promise.all([
      reader.rows<ChannelRow>(sql`SELECT ${channelColumns(actor)} FROM channels h WHERE ${where}
        ORDER BY lower(h.name), h.id LIMIT ${limit} OFFSET ${offset}`),
      reader.rows<{ total: number }>(sql`SELECT count(*)::int AS total FROM channels h WHERE ${where}`),
    ]);
    return { total: counted?.total ?? 0, limit, offset, data: rows.map(presentChannel) };
  },
});

/** Creates a channel. Holders of its tokens may read everything that it shows. */
export const createChannel = operation({
  name: "channels.create",
  summary: "Create a publishing channel",
  description:
    "The channel shows published documents that are in one of its collections, if it names any, and carry one of its tags, if it names any. A channel with tags only shows documents that the whole team may read; other collections must be named. Create its tokens with channelTokens.create.",
  scope: "write",
  ...forPublishers,
  freshProof: true,
  input: z.strictObject({ name: Name, ...sourceFields, format: Format.optional() }),
  output: Channel,
  async run({ tx, actor, now }, { name, collectionIds = [], tagIds = [], format = {} }) {
    const { teamId } = actor;
    requireNarrowed(collectionIds.length > 0, tagIds.length > 0);
    await requireSources(tx, actor, collectionIds, tagIds);
    const at = await stampMoment(tx, teamId, now);
    const id = newId();
    const formats = { markdown: format.markdown ?? false, html: format.html ?? false };
    await tx.channel.create({ data: { teamId, id, name, ...formats, createdAt: at, updatedAt: at } });
    await setChannelSources(tx, teamId, id, { collectionIds, tagIds });
    return presentChannel(await requireChannel(tx, actor, id));
  },
});

/** Changes the name, the sources or the formats of a channel. */
export const updateChannel = operation({
  name: "channels.update",
  summary: "Update a publishing channel",
  description:
    "`collectionIds` and `tagIds` replace the sources of the channel, except collections that you may not see. If it has such a collection, its tags cannot change.",
  scope: "write",
  ...forPublishers,
  freshProof: true,
  input: z.strictObject({ id: Id, name: Name.optional(), ...sourceFields, format: Format.optional() }),
  output: Channel,
  async run({ tx, actor, now, audit }, request) {
    const { id, collectionIds, tagIds } = request;
    const { teamId } = actor;
    const where = { teamId_id: { teamId, id } };
    await tx.rows(sql`SELECT 1 FROM channels h WHERE h."teamId" = ${teamId}::uuid AND h.id = ${id}::uuid FOR UPDATE`);
    const before = await requireChannel(tx, actor, id);
    const wanted = await sourcesAfter(tx, actor, before, request);
    const { markdown = before.markdown, html = before.html } = request.format ?? {};
    const fields = { name: request.name ?? before.name, markdown, html };
    if (!wanted.changed && differing(fields, before).length === 0) {
      audit.unchanged();
      return presentChannel(before);
    }
    if (wanted.changed) {
      await requireSources(tx, actor, collectionIds ?? [], tagIds ?? []);
      await setChannelSources(tx, teamId, id, wanted);
      await tx.channel.update({ where, data: { byCollection: wanted.byCollection, byTag: wanted.byTag } });
    }
    const updatedAt = await stampMoment(tx, teamId, now);
    await tx.channel.update({ where, data: { ...fields, updatedAt } });
    return presentChannel(await requireChannel(tx, actor, id));
  },
});

const differing = <T extends object>(wanted: T, current: T): string[] =>
  Object.entries(wanted).flatMap(([key, value]) => (value === Reflect.get(current, key) ? [] : [key]));

/** Deletes a channel. Its tokens are refused from the next request on. */
export const deleteChannel = operation({
  name: "channels.delete",
  summary: "Delete a publishing channel and its tokens",
  scope: "write",
  ...forPublishers,
  input: z.strictObject({ id: Id }),
  output: z.object({ id: z.uuid(), status: z.literal("deleted") }),
  async run({ tx, actor, now }, { id }) {
    const { teamId } = actor;
    const { count } = await tx.channel.deleteMany({ where: { teamId, id } });
    if (count === 0) throw notFound("Channel");
    await stampMoment(tx, teamId, now);
    return { id, status: "deleted" as const };
  },
});
