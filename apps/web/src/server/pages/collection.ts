import { invoke, notFound, operations } from "@kb/core";
import type { EdgeContext } from "@kb/http";
import { listedDocuments, listedFields, pageSize, rowOf } from "../../client/api/listed-documents.ts";
import { queryKeys } from "../../client/api/query-keys.ts";
import { collectionActions } from "../../client/collections/collection-actions.ts";
import {
  type CollectionSort,
  collectionParameters,
  collectionSorts,
  sortedDocuments,
} from "../../client/screens/collection-parameters.ts";
import type { Messages } from "../../messages/index.ts";
import type { BootData, TreeData } from "../boot-data.ts";
import { actionsSpace } from "./actions-space.ts";
import type { Frame } from "./frame.ts";
import { type Html, html } from "./html.ts";
import { mainPart } from "./main-part.ts";
import { pageLinks } from "./page-links.ts";
import { rows } from "./rows.ts";
import { type Answer, type Calls, pathParameter, type Shown } from "./shown.ts";

type Collection = BootData["collections"][number];
type Part = { readonly list: Html; readonly answers: readonly Answer[]; readonly tree?: TreeData | undefined };

/** Renders a collection: its documents at the top level in their order, or all of them in another one. */
export async function collectionPage(context: EdgeContext, frame: Frame, calls: Calls): Promise<Shown> {
  const { app, preferences } = frame;
  const { messages } = preferences;
  const collectionId = pathParameter(context, "collectionId");
  const collection = app.collections.find(({ id }) => id === collectionId);
  if (collection === undefined) throw notFound("Collection");
  const details = await invoke(calls.service, operations.getCollection, calls.actor, { id: collectionId });
  const { sort, page = 1 } = collectionParameters(context.req.query());
  const isSorted = sort !== undefined && collection.archivedAt === null;
  const part = isSorted
    ? await sorted(frame, calls, collection, { sort, page })
    : await topLevel(context, frame, calls, collection);
  const { description } = details;
  const canSort = collection.archivedAt === null && collection.documentCount > 1;
  const menu = collectionActions(collection, app.user.capabilities).length > 0 ? [{ icon: "more" } as const] : [];
  const content = html`${facts(collection, messages)}
${description ? html`<p class="description" dir="auto">${description}</p>` : ""}
${collection.archivedAt === null ? "" : html`<div class="notice"><span>${messages.archivedCollection}</span></div>`}
${canSort ? sortForm(sort, messages) : ""}
${part.list}`;
  return {
    title: collection.name,
    main: mainPart({ title: collection.name, emoji: collection.icon, actions: actionsSpace(frame, menu), content }),
    tree: part.tree ?? (await treeOf(collection, calls)),
    answers: [[queryKeys.collection(collectionId), details], ...part.answers],
  };
}

/** Reads the tree open at the collection, as the app opens it; an archived one is not in the tree. */
async function treeOf({ id, archivedAt }: Collection, { service, actor }: Calls): Promise<TreeData | undefined> {
  if (archivedAt !== null) return undefined;
  return invoke(service, operations.readTree, actor, { collectionId: id, limit: pageSize });
}

/** Counts the documents; a collection without any says so in its list. */
const facts = (collection: Collection, messages: Messages): Html | string =>
  collection.documentCount === 0
    ? ""
    : html`<p class="facts">${color(collection)}<span>${messages.documentCount(collection.documentCount)}</span></p>`;

const color = ({ color }: Collection): Html | string =>
  color === null
    ? ""
    : html`<svg class="collection-color" viewBox="0 0 12 12" aria-hidden="true"><circle cx="6" cy="6" r="6" fill="${color}"></circle></svg>`;

async function topLevel(
  context: EdgeContext,
  frame: Frame,
  { service, actor }: Calls,
  collection: Collection,
): Promise<Part> {
  const { preferences, path } = frame;
  const { messages } = preferences;
  const cursor = context.req.query("after");
  const place = { collectionId: collection.id, cursor, limit: pageSize };
  const tree = await invoke(service, operations.readTree, actor, place);
  const [level] = tree.levels;
  const list = (level?.data ?? []).map((node) => ({ ...node, isDraft: node.state === "draft" }));
  const { abilities, archivedAt } = collection;
  const isForReader = !abilities.createDocument && archivedAt === null;
  const empty = isForReader ? messages.collectionEmptyReader : messages.collectionEmpty;
  return {
    list: html`${list.length === 0 ? html`<p class="quiet">${empty}</p>` : rows(preferences, list)}
${level === undefined || level.nextCursor === null ? "" : next(path, level.nextCursor, messages)}`,
    // The app starts at the beginning of the level, which comes with the tree; an archived collection is not in the tree.
    answers: archivedAt !== null && cursor === undefined ? [[queryKeys.level(collection.id, null), level]] : [],
    tree: archivedAt === null && cursor === undefined ? tree : undefined,
  };
}

type Order = { readonly sort: CollectionSort; readonly page: number };

async function sorted(
  frame: Frame,
  { service, actor }: Calls,
  { id }: Collection,
  { sort, page }: Order,
): Promise<Part> {
  const { preferences, path } = frame;
  const { messages } = preferences;
  const filter = { ...sortedDocuments(id, sort), offset: (page - 1) * pageSize };
  const request = { ...filter, fields: listedFields, limit: pageSize };
  const found = await invoke(service, operations.listDocuments, actor, request);
  const documents = listedDocuments(found).map((document) => rowOf(document));
  const total = "total" in found ? found.total : documents.length;
  const address = (number: number): string => `${path}?sort=${sort}&page=${number}`;
  return {
    list: html`${documents.length === 0 ? html`<p class="quiet">${messages.collectionEmpty}</p>` : rows(preferences, documents)}
${pageLinks({ page, total, address, messages })}`,
    answers: [[queryKeys.list(filter), found]],
  };
}

/** Renders the order as a form, which works without script. */
function sortForm(sort: CollectionSort | undefined, messages: Messages): Html {
  const names = { title: messages.sortTitle, updated: messages.sortUpdated };
  const option = (value: string, name: string): Html =>
    html`<option value="${value}"${value === (sort ?? "") ? html` selected` : ""}>${name}</option>`;
  return html`<form class="sort"><label for="sort">${messages.sortBy}</label>
<select id="sort" name="sort">${option("", messages.sortOrder)}${collectionSorts.map((name) => option(name, names[name]))}</select>
<noscript><button class="button">${messages.sortBy}</button></noscript></form>`;
}

/** Links to the documents behind those on the page, for readers without script: the app loads them as they are scrolled to. */
const next = (path: string, cursor: string, messages: Messages): Html =>
  html`<nav class="pages" aria-label="${messages.pages}"><a class="button" href="${path}?after=${cursor}">${messages.nextPage}</a></nav>`;
