import { createChannel as createChannelOfIds } from "../channels/manage.ts";
import { createChannelToken } from "../channels/tokens.ts";
import type { Service } from "../context.ts";
import { invoke } from "../invoke.ts";
import { systemActor } from "./actor.ts";
import { findCollections, findTag, findTeam } from "./find.ts";

/** The input of `createChannel`. */
export type NewChannel = {
  name: string;
  /** Ids or names of collections. */
  collections: readonly string[];
  tags: readonly string[];
  markdown?: boolean | undefined;
  html?: boolean | undefined;
  team?: string | undefined;
};

/** A channel with its first token. */
export type CreatedChannel = { id: string; name: string; token: string };

/**
 * Creates a publishing channel and its first token. Only this answer contains the token.
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
