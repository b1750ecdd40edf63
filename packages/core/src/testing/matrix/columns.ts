/** The groups of columns, in the order of the table. */
const groups = {
  /** Nothing, or nothing that is good. `suspended` is the key of somebody who was suspended. */
  bad: ["none", "garbage", "wrongPrefix", "badChecksum", "unknown", "expired", "revoked", "suspended"],
  /** An editor's keys by their scopes, `everydayKey` with both; the last has `admin` and is an admin's. */
  keys: ["readKey", "writeKey", "everydayKey", "adminKey"],
  /** An editor's restricted keys, by what they allow in the subject's collection, or for the subject itself. */
  restricted: [
    "restrictedNone",
    "restrictedRead",
    "restrictedWrite",
    // The collection none, the document read; the collection read, the document write.
    "upToRead",
    "upToWrite",
    // The collection write, the document read; the collection write, the document none.
    "downToRead",
    "downToNone",
  ],
  /** The token of the channel that publishes the subject, and the token of another. */
  channels: ["channelToken", "otherChannelToken"],
  /** Browser sessions, one of each built-in group, one of a group of the team's own (`customCapabilities`). */
  sessions: ["adminSession", "editorSession", "memberSession", "viewerSession", "customSession", "foreignSession"],
  /** The key of another team's admin, and an editor's while their team has MCP switched off. */
  others: ["foreignKey", "mcpOff"],
  /** Access tokens of apps that another editor allowed to read, and to read and write. */
  apps: ["readApp", "writeApp"],
} as const;

type Groups = typeof groups;

/** A kind of credential: one column of the access matrix. */
export type Column = Groups[keyof Groups][number];

/** Every column, in the order of the table. */
export const columns: readonly Column[] = Object.values(groups).flat();

/** Sizes of the groups of columns, which a row separates by spaces. */
export const groupSizes: readonly number[] = Object.values(groups).map((names) => names.length);

/** Capabilities of the team's custom group: its members create documents and set up collections, but edit no document. */
export const customCapabilities = ["document.read", "document.create", "collection.edit"] as const;
