import { invoke, operations } from "@kb/core";
import type { EdgeContext } from "@kb/http";
import type { InputOf } from "../../client/api/contract.ts";
import {
  listedDocuments,
  listedFields,
  pageOfList,
  peopleOf,
  rowOf,
  withoutDraftMarks,
  withPeople,
} from "../../client/api/listed-documents.ts";
import { queryKeys } from "../../client/api/query-keys.ts";
import { isOfDrafts, listFilters, tagFilter } from "../../client/screens/list-filters.ts";
import { mayDestroy } from "../../client/screens/may-destroy.ts";
import { actionsSpace } from "./actions-space.ts";
import type { Frame } from "./frame.ts";
import { type Html, html } from "./html.ts";
import { mainPart } from "./main-part.ts";
import { pageAddress, pageLinks, pageOf } from "./page-links.ts";
import { rows, when } from "./rows.ts";
import { type Calls, pathParameter, type Shown } from "./shown.ts";

type ListPage = {
  readonly title: string;
  readonly filter: InputOf<"documents.list">;
  /** Says what belongs in the list, if it is empty. */
  readonly empty: string;
  readonly before?: Html | string;
  /** The place of the app's buttons beside the heading. */
  readonly actions?: Html | string;
};

/** Renders a list of documents, 50 on a page. The number of the page stands in the address. */
async function listPage(context: EdgeContext, frame: Frame, { service, actor }: Calls, list: ListPage): Promise<Shown> {
  const { messages } = frame.preferences;
  const page = pageOf(context);
  const request = { ...list.filter, fields: listedFields, ...pageOfList(page) };
  const found = await invoke(service, operations.listDocuments, actor, request);
  const listed = listedDocuments(found).map((document) => rowOf(document, frame.app.collections));
  const wanted = peopleOf(listed);
  const people = wanted && (await invoke(service, operations.listDirectory, actor, wanted));
  const named = withPeople(listed, people?.data ?? []);
  const documents = isOfDrafts(list.filter) ? withoutDraftMarks(named) : named;
  const total = "total" in found ? found.total : documents.length;
  const content = html`${list.before ?? ""}
${documents.length === 0 ? html`<p class="quiet">${list.empty}</p>` : rows(frame.preferences, documents)}
${pageLinks({ page, total, address: pageAddress(frame.path), messages })}`;

  const key = queryKeys.list({ ...list.filter, offset: request.offset });
  const names: Shown["answers"] = wanted && [[queryKeys.operation("users.directory", wanted), people]];
  return {
    title: list.title,
    main: mainPart({ title: list.title, actions: list.actions ?? "", content }),
    answers: [[key, found], ...(names ?? [])],
  };
}

/** Renders the drafts that the user may see. */
export const draftsPage = (context: EdgeContext, frame: Frame, calls: Calls): Promise<Shown> => {
  const { messages } = frame.preferences;
  return listPage(context, frame, calls, {
    title: messages.drafts,
    filter: listFilters.drafts,
    empty: messages.draftsEmpty,
  });
};

/** Renders the archived documents, and the archived collections above them. */
export const archivePage = (context: EdgeContext, frame: Frame, calls: Calls): Promise<Shown> => {
  const { messages } = frame.preferences;
  const archived = frame.app.collections.filter(({ archivedAt }) => archivedAt !== null);
  const links = archived.map(
    ({ id, name, archivedAt }) =>
      html`<li><a href="/collections/${id}"><span class="row-title" dir="auto">${name}</span>${archivedAt === null ? "" : html`<span class="row-detail">${messages.movedToArchive} ${when(frame.preferences, archivedAt)}</span>`}</a></li>`,
  );
  const before =
    archived.length === 0
      ? ""
      : html`<section><h2>${messages.collections}</h2><ul class="rows">${links}</ul></section><h2>${messages.documents}</h2>`;
  return listPage(context, frame, calls, {
    title: messages.archive,
    filter: listFilters.archive,
    empty: messages.archiveEmpty,
    before,
  });
};

/** Renders the documents in the trash that the user may restore. */
export const trashPage = (context: EdgeContext, frame: Frame, calls: Calls): Promise<Shown> => {
  const { messages } = frame.preferences;
  return listPage(context, frame, calls, {
    title: messages.trash,
    filter: listFilters.trash,
    empty: messages.trashEmpty,
    before: html`<p class="quiet">${messages.trashHelp}</p>`,
    actions: actionsSpace(frame, mayDestroy(frame.app.user.capabilities) ? [{ text: messages.emptyTrash }] : []),
  });
};

/** Renders the documents with a tag. A tag that nobody uses, or that the user may not know, has none. */
export const tagPage = (context: EdgeContext, frame: Frame, calls: Calls): Promise<Shown> => {
  const { messages } = frame.preferences;
  const name = pathParameter(context, "tag");
  return listPage(context, frame, calls, { title: name, filter: tagFilter(name), empty: messages.tagEmpty });
};

/** Renders the tags that the user may know. */
export async function tagsPage(_: EdgeContext, { preferences }: Frame, { service, actor }: Calls): Promise<Shown> {
  const { messages } = preferences;
  const tags = await invoke(service, operations.listTags, actor, {});
  const links = tags.map(
    ({ name, documentCount, restricted }) =>
      html`<li><a href="/tags/${encodeURIComponent(name)}"><span class="row-title"><bdi>${name}</bdi>${restricted === true ? html` <span class="tag">${messages.tagRestricted}</span>` : ""}</span> <span class="row-detail">${messages.documentCount(documentCount ?? 0)}</span></a></li>`,
  );
  const content =
    tags.length === 0 ? html`<p class="quiet">${messages.tagsEmpty}</p>` : html`<ul class="rows">${links}</ul>`;
  return {
    title: messages.tags,
    main: mainPart({ title: messages.tags, content }),
    answers: [[queryKeys.tags(), tags]],
  };
}
