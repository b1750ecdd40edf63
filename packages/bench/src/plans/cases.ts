import { type Actor, authenticateApiKey, authenticateChannelToken, type ChannelReader } from "@kb/auth";
import { invoke, type Operation, operations, type Service } from "@kb/core";
import type { Database } from "@kb/db";
import type { z } from "zod";
import type { Subjects } from "../scale/subjects.ts";

/** How many rows of growing tables a call may look at, for so many that it shows, and that it counts. */
type Bound = (shown: number, total: number) => number;

/** A call whose statements are looked at. */
export type Case = {
  readonly operation: string;
  readonly input: object;
  readonly reads: Bound;
  call(service: Service): Promise<unknown>;
};

function asking<Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  caller: Actor | ChannelReader,
  input: object,
  reads: Bound,
): Case {
  return { operation: operation.name, input, reads, call: (service) => invoke(service, operation, caller, input) };
}

export type Callers = { readonly person: Actor; readonly restricted: Actor; readonly channel: ChannelReader };

/** Who asks: somebody who is logged in, a restricted key, the reader of a channel. */
export async function callersOf(database: Database, { keys, channel }: Subjects): Promise<Callers> {
  const [now, found] = [new Date(), authenticateApiKey];
  const [plain, restricted] = [await found(database, keys.plain, now), await found(database, keys.restricted, now)];
  const reader = await authenticateChannelToken(database, channel.token, now);
  if (plain === null || restricted === null || reader === null)
    throw new Error("a credential of the bench is not valid");
  const person: Actor = {
    ...plain,
    scopes: new Set(["read", "write", "admin"]),
    systemAdmin: true,
    credential: { kind: "session", id: plain.userId, name: "Bench" },
  };
  return { person, restricted, channel: reader };
}

/** For each row that is shown so many of the tables around it, and some at the edges. */
const ofPage: Bound = (shown) => 40 * shown + 400;
/** What has to be counted is looked at as well: the match, its document, its tag. */
const ofTotal: Bound = (shown, total) => ofPage(shown, total) + 8 * total;

/** Every operation that reads, with the inputs that lead to other statements. */
export function casesOf(subjects: Subjects, callers: Callers): Case[] {
  return [lists, elsewhere, searches, singles].flatMap((cases) => cases(subjects, callers)).concat(others(callers));
}

const sorts = ["updatedAt", "-updatedAt", "createdAt", "-createdAt", "title", "-title", "sortOrder", "-sortOrder"];
/** The index of words knows no team and no order: it finds more than is shown. At most 500 are ranked. */
const ofSearch: Bound = (_, total) => 25 * total + 10_000;
const plus =
  (more: number, bound: Bound): Bound =>
  (shown, total) =>
    bound(shown, total) + more;

const daysBefore = (moment: Date, days: number): string =>
  new Date(moment.getTime() - days * 24 * 3_600_000).toISOString();

/** What is found by a tag of a tenth of all documents, counted or put in order. */
const ofTag = (count: number): number => count / 2;

function lists({ count, collectionId, documentIds, tags, startedAt }: Subjects, callers: Callers): Case[] {
  const { person, restricted } = callers;
  const { listDocuments } = operations;
  const page = (input: object): Case => asking(listDocuments, person, input, ofPage);
  const counted = (input: object): Case => asking(listDocuments, person, input, ofTotal);
  const updatedSince = daysBefore(startedAt, 180);
  return [
    ...sorts.flatMap((sort) => [page({ sort }), page({ sort, collectionId }), counted({ sort, tag: [tags.rare] })]),
    ...["draft", "published", "archived"].map((status) => page({ status: [status] })),
    page({ limit: 100, offset: 200, format: "markdown" }),
    // The counts say that reading on in the order is less than looking up all that carry it.
    page({ tag: [tags.common] }),
    page({ tag: [tags.common], sort: "title" }),
    page({ tag: [tags.common], collectionId }),
    page({ tag: [tags.common], updatedSince }),
    // The links of both are read to find what is in both.
    asking(listDocuments, person, { tag: [tags.rare, tags.common] }, plus(ofTag(count), ofTotal)),
    counted({ title: "Nobody has this title" }),
    counted({ parentDocumentId: documentIds[0] }),
    counted({ deleted: true }),
    page({ updatedSince }),
    page({ updatedSince, collectionId }),
    page({ updatedSince: startedAt.toISOString() }),
    page({ updatedSince: daysBefore(startedAt, 80), includeDeleted: true }),
    asking(listDocuments, person, { updatedSince, tag: [tags.rare] }, plus(1_000, ofPage)),
    // What the key may read lies anywhere among the changes, and is little.
    asking(listDocuments, restricted, {}, ofTotal),
    asking(listDocuments, restricted, { sort: "title", offset: 100 }, ofTotal),
  ];
}

function elsewhere({ collectionId, tags, startedAt }: Subjects, { person, restricted, channel }: Callers): Case[] {
  const { listDocumentsForAssistants: list, listPublished } = operations;
  const updatedSince = daysBefore(startedAt, 180);
  return [
    asking(list, person, {}, ofPage),
    asking(list, restricted, {}, plus(4_000, ofPage)),
    asking(list, person, { updatedSince, collectionId }, ofPage),
    asking(list, person, { tag: tags.rare }, plus(1_000, ofPage)),
    asking(list, person, { tag: tags.common }, ofPage),
    asking(listPublished, channel, { channelId: channel.channelId }, ofPage),
    asking(listPublished, channel, { channelId: channel.channelId, updatedSince }, ofPage),
    asking(operations.listTags, person, {}, ofPage),
    asking(operations.listTags, restricted, {}, plus(4_000, ofPage)),
    asking(operations.listRestricted, person, {}, ofPage),
  ];
}

function searches({ rareWord, typo, tags, collectionId }: Subjects, { person, restricted }: Callers): Case[] {
  const { searchDocuments: search, searchForAssistants } = operations;
  const queries = [rareWord, "prefetching", "component", "コンポーネント", '"content collections"', "astro -component"];
  return [
    ...queries.map((query) => asking(search, person, { query }, ofSearch)),
    asking(search, restricted, { query: rareWord }, ofSearch),
    asking(search, person, { query: rareWord, tag: [tags.rare], collectionId, status: ["published"] }, ofSearch),
    asking(search, person, { query: typo }, plus(20_000, ofSearch)),
    asking(searchForAssistants, person, { query: rareWord }, ofSearch),
  ];
}

function singles({ documentIds, publishedId, collectionId }: Subjects, { person, channel }: Callers): Case[] {
  const [id = ""] = documentIds;
  const bound: Bound = () => 600;
  return [
    asking(operations.getDocument, person, { id, format: "markdown", include: "content" }, bound),
    asking(operations.readDocumentForAssistants, person, { id }, bound),
    asking(operations.listRevisions, person, { id }, bound),
    asking(operations.getRevision, person, { id, revision: 1 }, bound),
    asking(operations.listRestrictedTags, person, { id }, bound),
    asking(operations.getCollection, person, { id: collectionId }, bound),
    asking(operations.listGrants, person, { id: collectionId }, bound),
    asking(operations.listGrantCandidates, person, { id: collectionId, query: "per" }, bound),
    asking(operations.getPublished, channel, { channelId: channel.channelId, id: publishedId }, bound),
  ];
}

function others({ person }: Callers): Case[] {
  const { userId, teamId } = person;
  const audit = [{}, { userId }, { action: "documents.update" }, { targetId: userId }, { outcome: "success" }];
  return [
    ...audit.map((input) => asking(operations.listAudit, person, input, ofPage)),
    ...audit.map((input) => asking(operations.listAuditLog, person, input, ofPage)),
    asking(operations.listDeliveries, person, { id: teamId }, ofPage),
    asking(operations.listDeliveries, person, { id: teamId, status: "failed" }, ofPage),
    asking(operations.getWebhook, person, { id: teamId }, ofPage),
    asking(operations.listWebhooks, person, {}, ofPage),
    asking(operations.listWebhooksInApp, person, {}, ofPage),
    asking(operations.getMe, person, {}, ofPage),
    asking(operations.getTeam, person, {}, ofPage),
    asking(operations.listApiKeys, person, {}, ofPage),
    asking(operations.listChannels, person, {}, ofPage),
    asking(operations.listCollections, person, {}, ofPage),
    asking(operations.listCollectionsForAssistants, person, {}, ofPage),
    asking(operations.listGroups, person, {}, ofPage),
    asking(operations.listLogIns, person, {}, ofPage),
    asking(operations.listApps, person, {}, ofPage),
    // People are counted, and found by a part of their name.
    asking(operations.listUsers, person, {}, plus(4_000, ofTotal)),
  ];
}

/** The operations without a case, each with its reason. */
export const withoutCase: Readonly<Record<string, string>> = {
  "collections.export": "reads all of a collection",
  "auth.me": "needs the token of a log-in; reads the caller alone",
  "apiKeys.info": "one key by its id",
  "channelTokens.list": "the tokens of one channel",
};
