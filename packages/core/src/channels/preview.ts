import { type Actor, type ChannelDraft, channelDocuments, readableDocuments } from "@kb/auth";
import { type Reader, sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { readPage } from "../read-page.ts";
import { Limit, Offset, pageOf } from "../schema/paging.ts";
import { Id, Timestamp, timestamp } from "../schema/text.ts";
import { requireChannel } from "./channel.ts";
import { hasHiddenSource, requireNarrowed, requireSources, sourceFields, sourcesAfter } from "./sources.ts";

/** A document that a channel shows. */
const PreviewedDocument = z
  .object({
    id: z.uuid(),
    title: z.string(),
    emoji: z.string().nullable(),
    collection: z.object({ id: z.uuid(), name: z.string() }),
    updatedAt: Timestamp,
  })
  .meta({ id: "PreviewedDocument" });

type Row = {
  id: string;
  title: string;
  emoji: string | null;
  collectionId: string;
  collectionName: string;
  updatedAt: Date;
};

type Sources = { readonly collectionIds?: string[] | undefined; readonly tagIds?: string[] | undefined };

/**
 * Lists what a channel would show with other sources, by the condition that its readers are answered by. Leaves out what the
 * caller may not read: a channel may publish a collection that somebody else chose.
 */
export const previewChannel = query({
  name: "channels.preview",
  summary: "Show what a channel publishes",
  description:
    "The documents that a reader of the channel would get, newest first, as far as you may read them; `isPartial` says that the channel also publishes a collection that you may not read. With `id`, the sources of that channel, as `channels.update` would set them; without it, those of a new one. Refused exactly where saving is.",
  scope: "read",
  capability: "publishing.channels",
  sessionOnly: true,
  input: z.strictObject({ id: Id.optional(), ...sourceFields, limit: Limit, offset: Offset }),
  output: pageOf(PreviewedDocument).extend({ isPartial: z.boolean() }),
  async run({ reader, actor }, { id, collectionIds, tagIds, limit, offset }) {
    const draft = await draftOf(reader, actor, id, { collectionIds, tagIds });
    const list = {
      columns: sql`d.id, d.title, d.emoji, c.id AS "collectionId", c.name AS "collectionName", d."updatedAt"`,
      from: sql`documents d JOIN collections c ON c."teamId" = d."teamId" AND c.id = d."collectionId"
        WHERE ${channelDocuments(draft)} AND ${readableDocuments(actor)}`,
      orderBy: sql`d."updatedAt" DESC, d.id DESC`,
    };
    const page = await readPage<Row, z.input<typeof PreviewedDocument>>(reader, list, { limit, offset }, present);
    return { ...page, isPartial: id !== undefined && (await hasHiddenSource(reader, actor, id)) };
  },
});

/** Returns the filters that would be saved. @throws {ServiceError} as saving them would */
async function draftOf(
  reader: Reader,
  actor: Actor,
  id: string | undefined,
  requested: Sources,
): Promise<ChannelDraft> {
  const { teamId } = actor;
  const { collectionIds = [], tagIds = [] } = requested;
  await requireSources(reader, actor, collectionIds, tagIds, "no lock");
  if (id === undefined) {
    const byCollection = collectionIds.length > 0;
    const byTag = tagIds.length > 0;
    requireNarrowed(byCollection, byTag);
    return { teamId, byCollection, byTag, collectionIds, tagIds };
  }
  const after = await sourcesAfter(reader, actor, await requireChannel(reader, actor, id), requested);
  return {
    teamId,
    byCollection: after.byCollection,
    byTag: after.byTag,
    collectionIds: after.collectionIds,
    tagIds: after.tagIds,
  };
}

function present(row: Row): z.input<typeof PreviewedDocument> {
  const { id, title, emoji, collectionId, collectionName, updatedAt } = row;
  return { id, title, emoji, collection: { id: collectionId, name: collectionName }, updatedAt: timestamp(updatedAt) };
}
