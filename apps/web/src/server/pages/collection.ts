import { invoke, notFound, operations } from "@kb/core";
import type { EdgeContext } from "@kb/http";
import { pageSize } from "../../client/api/listed-documents.ts";
import { queryKeys } from "../../client/api/query-keys.ts";
import type { Messages } from "../../messages/index.ts";
import type { Frame } from "./frame.ts";
import { type Html, html } from "./html.ts";
import { mainPart } from "./main-part.ts";
import { rows } from "./rows.ts";
import { type Calls, pathParameter, type Shown } from "./shown.ts";

/** Renders a collection: its documents at the top level, in their order. */
export async function collectionPage(context: EdgeContext, frame: Frame, { service, actor }: Calls): Promise<Shown> {
  const { app, preferences } = frame;
  const { messages } = preferences;
  const collectionId = pathParameter(context, "collectionId");
  const collection = app.collections.find(({ id }) => id === collectionId);
  if (collection === undefined) throw notFound("Collection");
  const cursor = context.req.query("after");
  const { levels } = await invoke(service, operations.readTree, actor, { collectionId, cursor, limit: pageSize });
  const [level] = levels;
  const list = (level?.data ?? []).map((node) => ({ ...node, isDraft: node.state === "draft" }));
  const content = html`<p class="facts">${messages.documentCount(collection.documentCount)}</p>
${collection.archivedAt === null ? "" : html`<p class="notice">${messages.archivedCollection}</p>`}
${list.length === 0 ? html`<p class="quiet">${messages.collectionEmpty}</p>` : rows(preferences, list)}
${level === undefined || level.nextCursor === null ? "" : next(frame.path, level.nextCursor, messages)}`;
  return {
    title: collection.name,
    main: mainPart({ title: collection.name, emoji: collection.icon, content }),
    // The app starts at the beginning of the level.
    answers: cursor === undefined && level !== undefined ? [[queryKeys.level(collectionId, null), level]] : [],
  };
}

/** Links to the documents behind those on the page, for readers without script: the app loads them as they are scrolled to. */
const next = (path: string, cursor: string, messages: Messages): Html =>
  html`<nav class="pages" aria-label="${messages.pages}"><a class="button" href="${path}?after=${cursor}">${messages.nextPage}</a></nav>`;
