import { authenticateChannelToken, type ChannelReader } from "@kb/auth";
import { admin, type CallMetadata, invoke, operations, ServiceError } from "../index.ts";
import type { World } from "./world.ts";

/** The sources of a channel, by name or id, and the formats that it adds. */
export type ChannelShape = {
  readonly collections?: readonly string[];
  readonly tags?: readonly string[];
  readonly markdown?: boolean;
  readonly html?: boolean;
};

/** A publishing channel with a token, and its operations as the holder of that token runs them. */
export type TestChannel = Awaited<ReturnType<typeof openChannel>>;

/** Creates a channel of the world's team with a token. */
export async function openChannel(world: World, shape: ChannelShape) {
  const { collections = [], tags = [], ...formats } = shape;
  const input = { ...formats, name: "Site", collections, tags, team: world.teamId };
  const { id, token } = await admin.createChannel(world.service, input);
  return { id, token, ...channelReaderOf(world, id, token) };
}

/** Reads a channel as the holder of a token. Authenticates for each call, as an edge does. */
export function channelReaderOf({ service }: World, channelId: string, token: string) {
  const reader = async (): Promise<ChannelReader> => {
    const found = await authenticateChannelToken(service.database, token, service.clock.now());
    if (found === null) throw new ServiceError("invalid_token", "The channel's token is not valid.");
    return found;
  };
  const list = async (query: object = {}, call: CallMetadata = {}) =>
    invoke(service, operations.listPublished, await reader(), { channelId, ...query }, call);
  return {
    list,
    /** Returns the titles of at most 100 documents, sorted. */
    titles: async () => (await list({ limit: 100 })).data.map((document) => document.title).sort(),
    get: async (id: string) => invoke(service, operations.getPublished, await reader(), { channelId, id }),
  };
}
