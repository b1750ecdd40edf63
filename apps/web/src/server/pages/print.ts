import type { Actor } from "@kb/auth";
import { invoke, notFound, operations, type Service } from "@kb/core";
import type { EdgeContext } from "@kb/http";
import type { Frame } from "./frame.ts";
import { html } from "./html.ts";
import { mainPart } from "./main-part.ts";
import { rows } from "./rows.ts";
import { type Calls, pathParameter, type Shown } from "./shown.ts";

/** The most documents on one page for paper, and the most that one call returns. */
const mostRows = 2_000;
const rowsPerCall = 500;

type Level = NonNullable<Awaited<ReturnType<typeof readPart>>>;

/**
 * Renders the whole list of a collection for paper, which the app's page has only the rows in the window of: at most 2,000
 * documents, with a link to the following ones.
 */
export async function printPage(context: EdgeContext, frame: Frame, { service, actor }: Calls): Promise<Shown> {
  const { messages } = frame.preferences;
  const collectionId = pathParameter(context, "collectionId");
  const collection = frame.app.collections.find(({ id }) => id === collectionId);
  if (collection === undefined) throw notFound("Collection");
  const documents: Level["data"] = [];
  let cursor: string | undefined = context.req.query("after");
  do {
    const level: Level | undefined = await readPart(service, actor, { collectionId, cursor });
    documents.push(...(level?.data ?? []));
    cursor = level?.nextCursor ?? undefined;
  } while (cursor !== undefined && documents.length < mostRows);
  const list = documents.map((node) => ({ ...node, isDraft: node.state === "draft" }));
  const next = `${frame.path}?after=${cursor}`;
  const content = html`<p class="facts">${messages.documentCount(collection.documentCount)}</p>
${list.length === 0 ? html`<p class="quiet">${messages.collectionEmpty}</p>` : rows(frame.preferences, list)}
${cursor === undefined ? "" : html`<nav class="pages" aria-label="${messages.pages}"><a class="button" href="${next}">${messages.nextPage}</a></nav>`}`;
  return {
    title: collection.name,
    main: mainPart({ title: collection.name, emoji: collection.icon, content }),
    isForPaper: true,
  };
}

async function readPart(service: Service, actor: Actor, place: { collectionId: string; cursor: string | undefined }) {
  const { levels } = await invoke(service, operations.readTree, actor, { ...place, limit: rowsPerCall });
  return levels[0];
}
