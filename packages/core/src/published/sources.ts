import type { Tx } from "@kb/db";

/** The collections and tags that narrow a channel. */
export type ChannelSources = { readonly collectionIds: readonly string[]; readonly tagIds: readonly string[] };

/**
 * Sets the sources of a channel: it shows documents that are in one of the collections, if any are named, and carry one
 * of the tags, if any are named. All ids must belong to the team, and the tags must be unrestricted.
 */
export async function setChannelSources(
  tx: Tx,
  teamId: string,
  channelId: string,
  { collectionIds, tagIds }: ChannelSources,
): Promise<void> {
  const channel = { teamId, channelId };
  await tx.channelCollection.deleteMany({ where: channel });
  await tx.channelTag.deleteMany({ where: channel });
  if (collectionIds.length > 0) {
    await tx.channelCollection.createMany({
      data: [...new Set(collectionIds)].map((collectionId) => ({ ...channel, collectionId })),
    });
  }
  if (tagIds.length > 0) {
    await tx.channelTag.createMany({ data: [...new Set(tagIds)].map((tagId) => ({ ...channel, tagId })) });
  }
  await tx.channel.update({
    where: { teamId_id: { teamId, id: channelId } },
    data: { byCollection: collectionIds.length > 0, byTag: tagIds.length > 0 },
    select: { id: true },
  });
}
