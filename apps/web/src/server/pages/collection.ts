import { invoke, notFound, operations } from "@kb/core";
import type { EdgeContext } from "@kb/http";
import type { Frame } from "./frame.ts";
import { html } from "./html.ts";
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
  const { levels } = await invoke(service, operations.readTree, actor, { collectionId });
  const list = (levels[0]?.data ?? []).map((node) => ({ ...node, isDraft: node.state === "draft" }));
  const content = html`<p class="facts">${messages.documentCount(collection.documentCount)}</p>
${collection.archivedAt === null ? "" : html`<p class="notice">${messages.archivedCollection}</p>`}
${list.length === 0 ? html`<p class="quiet">${messages.collectionEmpty}</p>` : rows(preferences, list)}`;
  return { title: collection.name, main: mainPart({ title: collection.name, emoji: collection.icon, content }) };
}
