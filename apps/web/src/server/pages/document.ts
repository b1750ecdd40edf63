import { invoke, operations } from "@kb/core";
import type { EdgeContext } from "@kb/http";
import { queryKeys, shownBacklinks, shownFiles } from "../../client/api/query-keys.ts";
import { withCalloutKinds } from "../../client/reading/callout-kinds.ts";
import { editAddress, isEmptyHtml } from "../../client/reading/empty-document.ts";
import { withFaultWords } from "../../client/reading/fault-words.ts";
import { foldPath } from "../../client/reading/fold-path.ts";
import { readingMinutes } from "../../client/reading/reading-minutes.ts";
import type { TreeData, ViewData } from "../boot-data.ts";
import type { Preferences } from "../preferences.ts";
import { actionsSpace } from "./actions-space.ts";
import { directionAttribute } from "./direction-attribute.ts";
import type { Frame } from "./frame.ts";
import { documentHtml, type Html, html } from "./html.ts";
import { mainPart } from "./main-part.ts";
import { outlines } from "./outline.ts";
import { properties } from "./properties.ts";
import { rows, when } from "./rows.ts";
import { type Calls, pathParameter, type Shown } from "./shown.ts";

/** Renders a document as a whole: it is readable before any script runs, and without it. */
export async function documentPage(context: EdgeContext, frame: Frame, calls: Calls): Promise<Shown> {
  const { preferences } = frame;
  const { service, actor } = calls;
  const id = pathParameter(context, "documentId");
  const view = await invoke(service, operations.viewDocument, actor, { id });
  const [backlinks, attached, tree] = await Promise.all([
    findBacklinks(view, calls),
    findFiles(view, calls),
    treeAt(view, calls),
  ]);
  const { document } = view;
  const title = document.title || preferences.messages.untitled;
  const { beside: aside, folded } = outlines(view.html ?? "", preferences);
  const content = html`${notice(view, preferences)}
${facts(view, preferences)}
${tags(view, preferences)}
${folded}
<div>${article(view, preferences)}</div>
${subpages(view, preferences)}
${properties(view, { backlinks, attached }, preferences)}`;
  const before = crumbs(view, preferences);
  const actions = actionsSpace(frame, buttonsOf(view, preferences));
  const main = mainPart({ title, emoji: document.emoji, before, actions, isWide: document.fullWidth, content });
  const answers: Shown["answers"] = [
    [queryKeys.backlinks(id), backlinks],
    [queryKeys.files(id), attached],
  ];
  return { title, main, aside, view, tree, answers };
}

/** The buttons beside the title, as in the app's `DocumentActions`. */
function buttonsOf(view: ViewData, { messages }: Preferences): Parameters<typeof actionsSpace>[1] {
  const edit = editAddress(view) === undefined ? [] : [{ icon: "draft", text: messages.editAction } as const];
  const star = view.document.deletedAt === null ? [{ icon: "star" } as const] : [];
  return [...edit, ...star, { icon: "more" }];
}

/** Rows of each level in the page; the app loads the rest once it is on the screen. */
const rowsOfLevel = 50;

/** Reads the tree down to the document. A document outside of the tree, such as an archived one, leaves it closed. */
async function treeAt({ document }: ViewData, { service, actor }: Calls): Promise<TreeData | undefined> {
  const isInTree = document.collectionId !== null && document.archivedAt === null && document.deletedAt === null;
  return isInTree ? invoke(service, operations.readTree, actor, { to: document.id, limit: rowsOfLevel }) : undefined;
}

/** Reads what links to the document; nothing links to one in the trash. */
function findBacklinks({ document: { id, deletedAt } }: ViewData, { service, actor }: Calls) {
  if (deletedAt !== null) return { data: [], total: 0, limit: shownBacklinks, offset: 0 };
  return invoke(service, operations.listBacklinks, actor, { id, limit: shownBacklinks });
}

/** Reads the files of the document; those of one in the trash come back with it. */
function findFiles({ document: { id, deletedAt } }: ViewData, { service, actor }: Calls) {
  if (deletedAt !== null) return { data: [], total: 0, limit: shownFiles, offset: 0 };
  return invoke(service, operations.listAttachments, actor, { documentId: id, limit: shownFiles });
}

function article(view: ViewData, { locale, messages }: Preferences): Html {
  const { document, html: body = "" } = view;
  const key = `${document.id}@${document.revision}`;
  const address = editAddress(view);
  const edit = address === undefined ? "" : html` <a class="edit-link" href="${address}">${messages.editAction}</a>`;
  const dir = directionAttribute(body);
  const text = isEmptyHtml(body)
    ? html`<p class="quiet">${messages.emptyDocument}${edit}</p>`
    : documentHtml(withFaultWords(withCalloutKinds(body, locale), messages.formulaFaults));
  return html`<article class="prose" data-key="${key}" data-far${dir}>${text}</article>`;
}

function crumbs({ collection, path }: ViewData, { messages }: Preferences): Html | string {
  if (collection === null) return "";
  const { first, folded, last } = foldPath(path);
  const links = (parts: Readonly<typeof path>): Html[] =>
    parts.map(
      ({ id, title }) => html`<li><a href="/documents/${id}" dir="auto">${title || messages.untitled}</a></li>`,
    );
  const middle =
    folded.length === 0
      ? ""
      : html`<li><details><summary aria-label="${messages.breadcrumbsMore(folded.length)}">…</summary><ol>${links(folded)}</ol></details></li>`;
  return html`<nav class="crumbs" aria-label="${messages.breadcrumbs}"><ol><li><a href="/collections/${collection.id}" dir="auto">${collection.name}</a></li>${links(first)}${middle}${links(last)}</ol></nav>`;
}

function notice({ document }: ViewData, { messages }: Preferences): Html | string {
  if (document.deletedAt !== null) return html`<p class="notice">${messages.trashedNotice}</p>`;
  if (document.archivedAt !== null) return html`<p class="notice">${messages.archivedNotice}</p>`;
  return document.publishedAt === null ? html`<p class="notice">${messages.draftNotice}</p>` : "";
}

function facts({ document, lastModifiedBy, html: body = "" }: ViewData, preferences: Preferences): Html {
  const { messages } = preferences;
  const who = lastModifiedBy === null ? messages.updated : messages.updatedBy(lastModifiedBy.name);
  const length = isEmptyHtml(body) ? "" : html`<span>${messages.readingTime(readingMinutes(body))}</span>`;
  return html`<p class="facts"><span>${who}</span>${when(preferences, document.updatedAt)}${length}</p>`;
}

function tags({ document, restrictedTags }: ViewData, { messages }: Preferences): Html | string {
  const names = [...document.tags, ...restrictedTags.map(({ name }) => name)];
  if (names.length === 0) return "";
  return html`<ul class="tags" aria-label="${messages.tags}">${names.map((name) => html`<li><a class="tag" dir="auto" href="/tags/${encodeURIComponent(name)}">${name}</a></li>`)}</ul>`;
}

function subpages({ children }: ViewData, preferences: Preferences): Html | string {
  if (children.data.length === 0) return "";
  const list = children.data.map((node) => ({ ...node, isDraft: node.state === "draft" }));
  return html`<section class="part"><h2>${preferences.messages.subpages}</h2>${rows(preferences, list)}</section>`;
}
