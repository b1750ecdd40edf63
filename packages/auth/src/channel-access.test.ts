import { expect, it } from "vitest";
import { type ChannelDocumentFacts, decideChannelDocument } from "./channel-access.ts";
import type { ChannelReader } from "./channel-reader.ts";

const reader = (byCollection: boolean, byTag: boolean): ChannelReader => ({
  teamId: "team",
  channelId: "channel",
  byCollection,
  byTag,
  markdown: false,
  html: false,
  credential: { kind: "channel_token", id: "token", name: "Token" },
});

/** A document that every channel shows that names both its collection and its tag. */
const shown: ChannelDocumentFacts = {
  publishedAt: new Date(0),
  archivedAt: null,
  deletedAt: null,
  collectionArchived: false,
  collectionNamed: true,
  collectionOpen: true,
  tagNamed: true,
};
const byCollection = reader(true, false);
const byTag = reader(false, true);
const byBoth = reader(true, true);
const byNeither = reader(false, false);

it.each<[string, ChannelReader, Partial<ChannelDocumentFacts>, boolean]>([
  ["by its collection", byCollection, { tagNamed: false, collectionOpen: false }, true],
  ["in another collection", byCollection, { collectionNamed: false }, false],
  ["by its tag", byTag, { collectionNamed: false }, true],
  ["without the tag", byTag, { tagNamed: false }, false],
  ["by its tag, in a collection that is not open to the whole team", byTag, { collectionOpen: false }, false],
  ["by both", byBoth, { collectionOpen: false }, true],
  ["by both, in another collection", byBoth, { collectionNamed: false }, false],
  ["by both, without the tag", byBoth, { tagNamed: false }, false],
  ["of a channel that names nothing", byNeither, {}, false],
  ["that is a draft", byBoth, { publishedAt: null }, false],
  ["that is archived", byBoth, { archivedAt: new Date(0) }, false],
  ["that is in the trash", byBoth, { deletedAt: new Date(0) }, false],
  ["in an archived collection", byBoth, { collectionArchived: true }, false],
])("a channel and a document %s", { meta: { proves: ["published.purpose"] } }, (_, channel, facts, allowed) => {
  expect(decideChannelDocument(channel, { ...shown, ...facts })).toBe(allowed ? "allow" : "hidden");
});
