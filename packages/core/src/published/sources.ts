import type { Tx } from "@kb/db";

/** What a channel is narrowed by. */
export type ChannelSources = { readonly collectionIds: readonly string[]; readonly tagIds: readonly string[] };

/**
 * Sets what a channel shows: documents in any of the collections, where it names collections, that carry any of the tags,
 * where it names tags. All of the ids must be of the team, the tags unrestricted.
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
