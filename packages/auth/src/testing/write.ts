import { type Database, join, newId, raw, sql } from "@kb/db";
import { type Level, makeToken, type StoredToken, storedToken } from "../index.ts";
import { at, type Shape, sizes } from "./shape.ts";

/** The ids of everything in a world. */
export type Ids = {
  readonly team: string;
  readonly users: readonly string[];
  readonly groups: readonly string[];
  readonly collections: readonly string[];
  readonly documents: readonly string[];
  readonly tags: readonly string[];
  /** The documents of the departures. */
  readonly departed: readonly string[];
  /** The caller's key, and the key of the user who has access to everything. */
  readonly keys: readonly string[];
  readonly channel: string;
};

/** A shape in the database, with its ids and tokens. */
export type Written = { readonly shape: Shape; readonly ids: Ids; readonly key: string; readonly channelToken: string };

const newIds = (count: number): string[] => Array.from({ length: count }, newId);

/** New ids for a shape. */
export function idsOf(shape: Shape): Ids {
  const documents = newIds(sizes.documents);
  return {
    team: newId(),
    users: newIds(sizes.users),
    groups: newIds(sizes.groups),
    collections: newIds(sizes.collections),
    documents,
    tags: newIds(sizes.tags),
    departed: shape.departures.map(({ document }) => (document === null ? newId() : at(documents, document))),
    keys: newIds(2),
    channel: newId(),
  };
}

/** The rows of one table; each has the same columns. */
type Rows = { readonly columns: readonly string[]; readonly rows: readonly object[] };

/**
 * Writes the team of a shape in one statement. The caller has a key; the key of another user has access to everything.
 */
export async function writeShape(database: Database, shape: Shape, ids: Ids): Promise<Written> {
  const key = makeToken("kb_");
  const other = makeToken("kb_");
  const channelToken = makeToken("kbc_");
  const tables: Readonly<Record<string, Rows>> = {
    ...peopleOf(shape, ids),
    ...collectionsOf(shape, ids),
    ...documentsOf(shape, ids),
    ...departuresOf(shape, ids),
    ...tagsOf(shape, ids),
    ...keysOf(shape, ids, [key, other]),
    ...channelOf(shape, ids, channelToken),
  };
  const inserts = Object.entries(tables).map(([table, { columns, rows }]) => {
    const names = raw(["teamId", ...columns].map((name) => `"${name}"`).join(", "));
    const json = JSON.stringify(rows.map((row) => ({ ...row, teamId: ids.team })));
    return sql`${raw(`i_${table}`)} AS (INSERT INTO ${raw(table)} (${names})
      SELECT ${names} FROM jsonb_populate_recordset(NULL::${raw(table)}, ${json}::jsonb))`;
  });
  const now = new Date();
  await database.acrossTeams.execute(
    sql`WITH i_teams AS (INSERT INTO teams (id, name, "createdAt") VALUES (${ids.team}::uuid, 'World', ${now})), ${join(inserts)} SELECT 1`,
  );
  return { shape, ids, key, channelToken };
}

function peopleOf(shape: Shape, ids: Ids): Record<string, Rows> {
  const [caller, everywhere] = ids.users;
  return {
    users: {
      columns: ["id", "name", "email", "systemAdmin", "suspendedAt", "createdAt", "updatedAt"],
      rows: ids.users.map((id, place) => ({
        id,
        name: `User ${place}`,
        email: `${id}@${ids.team}.example.com`,
        ...timestamps(),
        systemAdmin: place === 0 && shape.systemAdmin,
        suspendedAt: place === 0 && shape.suspended ? new Date() : null,
      })),
    },
    groups: {
      columns: ["id", "name", "capabilities", "createdAt"],
      rows: ids.groups.map((id, place) => ({
        ...timestamps(),
        id,
        name: `g${place}`,
        capabilities: at(shape.groups, place),
      })),
    },
    memberships: {
      columns: ["userId", "groupId"],
      rows: [
        ...shape.memberships.map((group) => ({ userId: caller, groupId: at(ids.groups, group) })),
        ...ids.groups.map((groupId) => ({ userId: everywhere, groupId })),
      ],
    },
  };
}

const timestamps = () => ({ createdAt: new Date(), updatedAt: new Date() });

function collectionsOf(shape: Shape, ids: Ids): Record<string, Rows> {
  const now = new Date();
  const grants = shape.collections.flatMap(({ groups, users }, place) => {
    const grant = { ...timestamps(), collectionId: at(ids.collections, place), userId: null, groupId: null };
    const given = <T extends object>(level: Level | null, to: T) =>
      level === null ? [] : [{ ...grant, ...to, id: newId(), level }];
    return [
      ...users.flatMap((level, user) => given(level, { userId: at(ids.users, user) })),
      ...groups.flatMap((level, group) => given(level, { groupId: at(ids.groups, group) })),
    ];
  });
  return {
    collections: {
      columns: ["id", "name", "defaultAccess", "sortOrder", "archivedAt", "deletedAt", "createdAt", "updatedAt"],
      rows: shape.collections.map(({ defaultAccess, archived, deleted }, place) => ({
        ...timestamps(),
        id: at(ids.collections, place),
        name: `Collection ${place}`,
        defaultAccess,
        sortOrder: 0,
        archivedAt: archived ? now : null,
        deletedAt: deleted ? now : null,
      })),
    },
    collection_grants: { columns: ["id", "collectionId", "userId", "groupId", "level", "createdAt"], rows: grants },
  };
}

const idAt = (ids: readonly string[], place: number | null): string | null => (place === null ? null : at(ids, place));

/** Returns the position of a document's parent, which precedes it; null without a parent. */
export function parentOf(shape: Shape, place: number): number | null {
  const { parent } = at(shape.documents, place);
  return parent === null || parent >= place ? null : parent;
}

/** Whether a document is in the trash: by itself, or with its collection. */
export function isTrashed(shape: Shape, place: number): boolean {
  const { trashed, collection } = at(shape.documents, place);
  return trashed || (collection !== null && at(shape.collections, collection).deleted);
}

const documentColumns = [
  "id",
  "title",
  "titleKey",
  "sortOrder",
  "fullWidth",
  "revision",
  "editorKind",
  "runStartedAt",
  "collectionId",
  "parentDocumentId",
  "createdById",
  "publishedAt",
  "archivedAt",
  "deletedAt",
  "createdAt",
  "updatedAt",
];

function documentsOf(shape: Shape, ids: Ids): Record<string, Rows> {
  const now = new Date();
  const plain = { sortOrder: 0, fullWidth: false, revision: 1, editorKind: "system", runStartedAt: now };
  const rows = shape.documents.map((document, place) => ({
    ...timestamps(),
    ...plain,
    id: at(ids.documents, place),
    title: `Document ${place}`,
    titleKey: `document ${place}`,
    collectionId: idAt(ids.collections, document.collection),
    parentDocumentId: idAt(ids.documents, parentOf(shape, place)),
    createdById: idAt(ids.users, document.author),
    publishedAt: document.published ? now : null,
    archivedAt: document.archived ? now : null,
    deletedAt: isTrashed(shape, place) ? now : null,
  }));
  return { documents: { columns: documentColumns, rows } };
}

function departuresOf(shape: Shape, ids: Ids): Record<string, Rows> {
  const moment = new Date();
  const columns = ["id", "documentId", "at", "collectionId", "createdById", "publishedAt"];
  const left = shape.departures.map(({ collection, author, published }, place) => ({
    id: newId(),
    documentId: at(ids.departed, place),
    at: moment,
    collectionId: idAt(ids.collections, collection),
    createdById: idAt(ids.users, author),
    publishedAt: published ? moment : null,
  }));
  const events = left.map((state, place) => ({
    ...state,
    sequence: place + 1,
    type: "document.updated",
    actor: {},
    data: {},
  }));
  return {
    tombstones: { columns, rows: left },
    events: { columns: [...columns, "sequence", "type", "actor", "data"], rows: events },
  };
}

/** Returns the name of the tag at a position. */
export const tagName = (place: number): string => (place === 2 ? "tag 0" : `tag ${place}`);

function tagsOf(shape: Shape, ids: Ids): Record<string, Rows> {
  const grants = shape.tags.flatMap(({ groups, users }, place) => {
    const grant = { tagId: at(ids.tags, place), userId: null, groupId: null };
    return [
      ...users.flatMap((named, user) => (named ? [{ ...grant, id: newId(), userId: at(ids.users, user) }] : [])),
      ...groups.flatMap((named, group) => (named ? [{ ...grant, id: newId(), groupId: at(ids.groups, group) }] : [])),
    ];
  });
  const carried = shape.documents.flatMap(({ tags }, place) =>
    tags.map((tag) => ({ documentId: at(ids.documents, place), tagId: at(ids.tags, tag) })),
  );
  return {
    tags: {
      columns: ["id", "name", "restricted", "createdAt"],
      rows: shape.tags.map(({ restricted }, place) => ({
        ...timestamps(),
        id: at(ids.tags, place),
        name: tagName(place),
        restricted,
      })),
    },
    tag_grants: { columns: ["id", "tagId", "userId", "groupId"], rows: grants },
    document_tags: { columns: ["documentId", "tagId"], rows: carried },
  };
}

const tokenColumns = ["id", "name", "hash", "prefix", "suffix", "createdAt"];

/** Encodes the hash in the JSON form of a `bytea`. */
const hex = ({ hash, ...rest }: StoredToken) => ({ ...rest, hash: `\\x${Buffer.from(hash).toString("hex")}` });

function keysOf(shape: Shape, ids: Ids, tokens: readonly [string, string]): Record<string, Rows> {
  const rows = tokens.map((token, place) => ({
    ...timestamps(),
    ...hex(storedToken(token)),
    id: at(ids.keys, place),
    userId: at(ids.users, place),
    name: "Key",
    scopes: ["read", "write"],
    restricted: place === 1 || shape.restricted,
  }));
  const entries = <T extends object>(entry: T, level: Level | null) => [
    { ...entry, apiKeyId: at(ids.keys, 1), level: "write" },
    ...(level === null ? [] : [{ ...entry, apiKeyId: at(ids.keys, 0), level }]),
  ];
  return {
    api_keys: { columns: [...tokenColumns, "userId", "scopes", "restricted"], rows },
    api_key_collections: {
      columns: ["apiKeyId", "collectionId", "level"],
      rows: shape.collections.flatMap((row, place) => entries({ collectionId: at(ids.collections, place) }, row.key)),
    },
    api_key_documents: {
      columns: ["apiKeyId", "documentId", "level"],
      rows: shape.documents.flatMap((row, place) => entries({ documentId: at(ids.documents, place) }, row.key)),
    },
  };
}

function channelOf({ channel }: Shape, ids: Ids, token: string): Record<string, Rows> {
  const own = { channelId: ids.channel };
  const by = { byCollection: channel.collections !== null, byTag: channel.tags !== null };
  const formats = { markdown: false, html: false };
  return {
    channels: {
      columns: ["id", "name", "byCollection", "byTag", "markdown", "html", "createdAt", "updatedAt"],
      rows: [{ ...timestamps(), ...by, ...formats, id: ids.channel, name: "Channel" }],
    },
    channel_collections: {
      columns: ["channelId", "collectionId"],
      rows: (channel.collections ?? []).map((place) => ({ ...own, collectionId: at(ids.collections, place) })),
    },
    channel_tags: {
      columns: ["channelId", "tagId"],
      rows: (channel.tags ?? []).map((place) => ({ ...own, tagId: at(ids.tags, place) })),
    },
    channel_tokens: {
      columns: [...tokenColumns, "channelId"],
      rows: [{ ...timestamps(), ...own, ...hex(storedToken(token)), id: newId(), name: "Token" }],
    },
  };
}
