import { createChannel as createChannelOfIds } from "../channels/manage.ts";
import { createChannelToken } from "../channels/tokens.ts";
import { invoke } from "../invoke.ts";
import type { Service } from "../operation.ts";
import { systemActor } from "./actor.ts";
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
  const { id: teamId } = await findTeam(service, input.team);
  const collections = await findCollections(service, teamId, input.collections);
  const tagIds: string[] = [];
  for (const tag of input.tags) tagIds.push((await findTag(service, teamId, tag)).id);
  const actor = await systemActor(service, teamId);
  const { id, name } = await invoke(service, createChannelOfIds, actor, {
    name: input.name,
    collectionIds: [...collections.values()].map((collection) => collection.id),
    tagIds,
    format: { markdown: input.markdown, html: input.html },
  });
  const { token } = await invoke(service, createChannelToken, actor, { channelId: id, name });
  return { id, name, token };
}
