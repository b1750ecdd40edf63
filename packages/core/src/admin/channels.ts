import { makeToken, storedToken } from "@kb/auth";
import { newId } from "@kb/db";
import { ServiceError } from "../errors.ts";
import type { Service } from "../operation.ts";
import { setChannelSources } from "../published/sources.ts";
import { Name, parseField } from "./fields.ts";
import { findCollections, findTag, findTeam } from "./find.ts";

export type NewChannel = {
  name: string;
  /** Collections by id or name. */
  collections: readonly string[];
  tags: readonly string[];
  markdown?: boolean | undefined;
  html?: boolean | undefined;
  team?: string | undefined;
};

export type CreatedChannel = { id: string; name: string; token: string };

/**
 * Creates a publishing channel and its first token, which is in the answer and nowhere else.
 * @throws {ServiceError} `validation_error`, `not_found` for a collection or a tag.
 */
export async function createChannel(service: Service, input: NewChannel): Promise<CreatedChannel> {
  const name = parseField("name", Name, input.name);
  if (input.collections.length === 0 && input.tags.length === 0) {
    throw new ServiceError("validation_error", "A channel needs at least one collection or tag to publish.");
  }
  const { id: teamId } = await findTeam(service, input.team);
  const collections = await findCollections(service, teamId, input.collections);
  const tagIds = new Set<string>();
  for (const tag of input.tags) tagIds.add((await findTag(service, teamId, tag)).id);
  const id = newId();
  const token = makeToken("kbc_");
  const at = service.clock.now();
  const formats = { markdown: input.markdown ?? false, html: input.html ?? false };
  const channel = { teamId, channelId: id };
  await service.database.transaction(async (tx) => {
    await tx.channel.create({ data: { teamId, id, name, ...formats, createdAt: at, updatedAt: at } });
    const collectionIds = [...collections.values()].map((collection) => collection.id);
    await setChannelSources(tx, teamId, id, { collectionIds, tagIds: [...tagIds] });
    await tx.channelToken.create({ data: { ...channel, id: newId(), name, createdAt: at, ...storedToken(token) } });
  });
  return { id, name, token };
}
