import { invoke, operations } from "@kb/core";
import type { EdgeContext } from "@kb/http";
import { withoutDraftMarks } from "../../client/api/listed-documents.ts";
import { queryKeys } from "../../client/api/query-keys.ts";
import { entryRow } from "../../client/screens/entry-row.ts";
import { type SearchFilter, searchFilters } from "../../client/screens/search-filters.ts";
import {
  isFiltered,
  longestQuery,
  type SearchParameters,
  searchParameters,
  searchRequest,
} from "../../client/screens/search-parameters.ts";
import type { Frame } from "./frame.ts";
import { documentHtml, type Html, html } from "./html.ts";
import { mainPart } from "./main-part.ts";
import { pageLinks } from "./page-links.ts";
import { rows } from "./rows.ts";
import type { Answer, Calls, Shown } from "./shown.ts";

/** Renders the search: a form with the filters that works without script, and a page of hits. */
export async function searchPage(context: EdgeContext, frame: Frame, calls: Calls): Promise<Shown> {
  const { messages } = frame.preferences;
  const search = searchParameters(context.req.query());
  const tags = await invoke(calls.service, operations.listTags, calls.actor, {});
  const { query = "" } = search;
  const filters = searchFilters(search, { collections: frame.app.collections, tags }, messages);
  const found = query === "" ? undefined : await results(search, frame, calls);
  const content = html`<search><form action="/search" class="search-form">
<label for="query">${messages.searchLabel}</label>
<div><input id="query" name="query" type="search" dir="auto" value="${query}" maxlength="${longestQuery}"> <button class="button primary">${messages.search}</button></div>
<fieldset><legend class="visually-hidden">${messages.searchFilters}</legend>${filters.map(filterField)}</fieldset>
</form></search>
${found === undefined ? html`<p class="quiet">${messages.searchPrompt}</p>` : found.list}`;
  return {
    title: messages.search,
    main: mainPart({ title: messages.search, content }),
    answers: [[queryKeys.tags(), tags], ...(found === undefined ? [] : [found.answer])],
  };
}

function filterField({ name, label, value, choices }: SearchFilter): Html {
  const options = choices.map(
    ([key, text]) => html`<option value="${key}"${key === value ? html` selected` : ""}>${text}</option>`,
  );
  return html`<label><span>${label}</span><select name="${name}">${options}</select></label>`;
}

type Found = { readonly list: Html; readonly answer: Answer };

async function results(search: SearchParameters, { preferences }: Frame, { service, actor }: Calls): Promise<Found> {
  const { messages } = preferences;
  const request = searchRequest(search);
  const found = await invoke(service, operations.searchInApp, actor, request);
  const answer: Answer = [queryKeys.search(request), found];
  const { query = "", page = 1 } = search;
  if (found.total === 0) return { list: nothingFound(search, messages), answer };
  const hits = found.data.map((hit) => ({ ...entryRow(hit), detail: documentHtml(hit.snippet) }));
  const list = search.status === "draft" ? withoutDraftMarks(hits) : hits;
  const { searchResults, searchResultsAtLeast } = messages;
  const number = (found.totalIsMinimum ? searchResultsAtLeast : searchResults)(found.total);
  const address = (number: number): string =>
    `/search?${new URLSearchParams({ ...search, query, page: String(number) })}`;
  return {
    list: html`<div><p role="status" class="quiet">${number}${found.similar ? ` · ${messages.searchSimilar}` : ""}</p>
${rows(preferences, list)}
${pageLinks({ page, total: found.total, address, messages })}</div>`,
    answer,
  };
}

function nothingFound(search: SearchParameters, messages: Frame["preferences"]["messages"]): Html {
  const { query = "" } = search;
  if (!isFiltered(search)) {
    return html`<p role="status">${messages.searchEmpty(query)}</p><p class="quiet">${messages.searchEmptyHelp}</p>`;
  }
  return html`<p role="status">${messages.searchEmptyFiltered(query)}</p>
<p><a class="button" href="/search?${new URLSearchParams({ query })}">${messages.clearFilters}</a></p>`;
}
