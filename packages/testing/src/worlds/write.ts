import { type Level, makeToken, storedToken } from "@kb/auth";
import { type Database, newId } from "@kb/db";
import { at, type Shape, sizes } from "./shape.ts";

/** The ids of everything in a world. */
export type Ids = {
  readonly team: string;
  readonly users: readonly string[];
  readonly groups: readonly string[];
  readonly collections: readonly string[];
  readonly documents: readonly string[];
  readonly tags: readonly string[];
  /** Of the documents that left a state. */
  readonly departed: readonly string[];
  /** The caller's, and that of the user to whom everything is allowed. */
  readonly keys: readonly string[];
  readonly channel: string;
};

/** A shape in the database: its ids, and the tokens that open it. */
export type Written = { readonly shape: Shape; readonly ids: Ids; readonly key: string; readonly channelToken: string };

const many = (count: number): string[] => Array.from({ length: count }, newId);

/** New ids for a shape. */
export function idsOf(shape: Shape): Ids {
  const documents = many(sizes.documents);
  return {
    team: newId(),
    users: many(sizes.users),
    groups: many(sizes.groups),
    collections: many(sizes.collections),
    documents,
    tags: many(sizes.tags),
    departed: shape.departures.map(({ document }) => (document === null ? newId() : at(documents, document))),
    keys: many(2),
    channel: newId(),
  };
}

/** Writes a team as the shape says. The caller holds a key; a key of somebody else allows everything. */
export async function writeShape(database: Database, shape: Shape, ids: Ids): Promise<Written> {
  await writePeople(database, shape, ids);
  await writeCollections(database, shape, ids);
  await writeDocuments(database, shape, ids);
  await writeDepartures(database, shape, ids);
  await writeTags(database, shape, ids);
  const key = await writeKeys(database, shape, ids);
  const channelToken = await writeChannel(database, shape, ids);
  return { shape, ids, key, channelToken };
}

async function writePeople({ client }: Database, shape: Shape, ids: Ids): Promise<void> {
  const teamId = ids.team;
  await client.team.create({ data: { id: teamId, name: "World" } });
  await client.user.createMany({
    data: ids.users.map((id, place) => ({
      ...{ teamId, id, name: `User ${place}`, email: `${id}@${teamId}.example.com` },
      systemAdmin: place === 0 && shape.systemAdmin,
      suspendedAt: place === 0 && shape.suspended ? new Date() : null,
    })),
  });
  await client.group.createMany({
    data: ids.groups.map((id, place) => ({
      teamId,
      id,
      name: `g${place}`,
      capabilities: [...at(shape.groups, place)],
    })),
  });
  const [caller, everywhere] = ids.users;
  await client.membership.createMany({
    data: [
      ...shape.memberships.map((group) => ({ teamId, userId: caller ?? "", groupId: at(ids.groups, group) })),
      ...ids.groups.map((groupId) => ({ teamId, userId: everywhere ?? "", groupId })),
    ],
  });
}

async function writeCollections({ client }: Database, shape: Shape, ids: Ids): Promise<void> {
  const teamId = ids.team;
  const now = new Date();
  await client.collection.createMany({
    data: shape.collections.map(({ defaultAccess, archived, deleted }, place) => ({
      ...{ teamId, id: at(ids.collections, place), name: `Collection ${place}`, defaultAccess },
      ...{ archivedAt: archived ? now : null, deletedAt: deleted ? now : null, createdAt: now, updatedAt: now },
    })),
  });
  await client.collectionGrant.createMany({
    data: shape.collections.flatMap(({ groups, users }, place) => {
      const grant = { teamId, collectionId: at(ids.collections, place) };
      return [
        ...users.flatMap((level, user) =>
          level === null ? [] : [{ ...grant, id: newId(), userId: at(ids.users, user), level }],
        ),
        ...groups.flatMap((level, group) =>
          level === null ? [] : [{ ...grant, id: newId(), groupId: at(ids.groups, group), level }],
        ),
      ];
    }),
  });
}

const idAt = (ids: readonly string[], place: number | null): string | null => (place === null ? null : at(ids, place));

/** The place of a document's parent, which came before it; null for none. */
export function parentOf(shape: Shape, place: number): number | null {
  const { parent } = at(shape.documents, place);
  return parent === null || parent >= place ? null : parent;
}

/** Whether a document is in the trash: by itself, or with its collection. */
export function isTrashed(shape: Shape, place: number): boolean {
  const { trashed, collection } = at(shape.documents, place);
  return trashed || (collection !== null && at(shape.collections, collection).deleted);
}

async function writeDocuments({ client }: Database, shape: Shape, ids: Ids): Promise<void> {
  const teamId = ids.team;
  const now = new Date();
  await client.document.createMany({
    data: shape.documents.map((document, place) => ({
      ...{ teamId, id: at(ids.documents, place), title: `Document ${place}`, titleKey: `document ${place}` },
      collectionId: idAt(ids.collections, document.collection),
      parentDocumentId: idAt(ids.documents, parentOf(shape, place)),
      createdById: idAt(ids.users, document.author),
      publishedAt: document.published ? now : null,
      archivedAt: document.archived ? now : null,
      deletedAt: isTrashed(shape, place) ? now : null,
      ...{ runStartedAt: now, createdAt: now, updatedAt: now },
    })),
  });
}

async function writeDepartures({ client }: Database, shape: Shape, ids: Ids): Promise<void> {
  const teamId = ids.team;
  const moment = new Date();
  const left = shape.departures.map(({ collection, author, published }, place) => ({
    ...{ teamId, documentId: at(ids.departed, place), at: moment },
    collectionId: idAt(ids.collections, collection),
    createdById: idAt(ids.users, author),
    publishedAt: published ? moment : null,
  }));
  await client.tombstone.createMany({ data: left.map((state) => ({ ...state, id: newId() })) });
  await client.event.createMany({
    data: left.map((state, place) => ({
      ...{ ...state, id: newId(), sequence: place + 1, type: "document.updated", actor: {}, data: {} },
    })),
  });
}

/** The name of a tag by its place. */
export const tagName = (place: number): string => (place === 2 ? "tag 0" : `tag ${place}`);

async function writeTags({ client }: Database, shape: Shape, ids: Ids): Promise<void> {
  const teamId = ids.team;
  await client.tag.createMany({
    data: shape.tags.map(({ restricted }, place) => ({
      ...{ teamId, id: at(ids.tags, place), name: tagName(place), restricted },
    })),
  });
  await client.tagGrant.createMany({
    data: shape.tags.flatMap(({ groups, users }, place) => {
      const grant = { teamId, tagId: at(ids.tags, place) };
      return [
        ...users.flatMap((named, user) => (named ? [{ ...grant, id: newId(), userId: at(ids.users, user) }] : [])),
        ...groups.flatMap((named, group) => (named ? [{ ...grant, id: newId(), groupId: at(ids.groups, group) }] : [])),
      ];
    }),
  });
  await client.documentTag.createMany({
    data: shape.documents.flatMap(({ tags }, place) =>
      tags.map((tag) => ({ teamId, documentId: at(ids.documents, place), tagId: at(ids.tags, tag) })),
    ),
  });
}

async function writeKeys({ client }: Database, shape: Shape, ids: Ids): Promise<string> {
  const teamId = ids.team;
  const [caller, other] = [makeToken("kb_"), makeToken("kb_")];
  const key = (place: number, restricted: boolean, token: string) => ({
    ...{ teamId, id: at(ids.keys, place), userId: at(ids.users, place), name: "Key" },
    ...{ scopes: ["read", "write"], restricted, ...storedToken(token) },
  });
  await client.apiKey.createMany({ data: [key(0, shape.restricted, caller), key(1, true, other)] });
  const entries = <T extends object>(entry: T, level: Level | null) => [
    { ...entry, teamId, apiKeyId: at(ids.keys, 1), level: "write" as const },
    ...(level === null ? [] : [{ ...entry, teamId, apiKeyId: at(ids.keys, 0), level }]),
  ];
  await client.apiKeyCollection.createMany({
    data: shape.collections.flatMap((row, place) => entries({ collectionId: at(ids.collections, place) }, row.key)),
  });
  await client.apiKeyDocument.createMany({
    data: shape.documents.flatMap((row, place) => entries({ documentId: at(ids.documents, place) }, row.key)),
  });
  return caller;
}

async function writeChannel({ client }: Database, { channel }: Shape, ids: Ids): Promise<string> {
  const teamId = ids.team;
  const token = makeToken("kbc_");
  const by = { byCollection: channel.collections !== null, byTag: channel.tags !== null };
  await client.channel.create({ data: { teamId, id: ids.channel, name: "Channel", ...by } });
  const own = { teamId, channelId: ids.channel };
  await client.channelCollection.createMany({
    data: (channel.collections ?? []).map((place) => ({ ...own, collectionId: at(ids.collections, place) })),
  });
  await client.channelTag.createMany({
    data: (channel.tags ?? []).map((place) => ({ ...own, tagId: at(ids.tags, place) })),
  });
  await client.channelToken.create({ data: { ...own, id: newId(), name: "Token", ...storedToken(token) } });
  return token;
}
