import { invoke, operations } from "@kb/core";
import type { EdgeContext } from "@kb/http";
import type { Frame } from "./frame.ts";
import { documentHtml, type Html, html } from "./html.ts";
import { mainPart } from "./main-part.ts";
import { rows } from "./rows.ts";
import type { Calls, Shown } from "./shown.ts";

const pageSize = 50;

/** Renders the search: a form that works without script, and the first hits. */
export async function searchPage(context: EdgeContext, frame: Frame, calls: Calls): Promise<Shown> {
  const { messages } = frame.preferences;
  const query = (context.req.query("query") ?? "").trim().slice(0, 1_000);
  const content = html`<search><form action="/search">
<label for="query">${messages.searchLabel}</label>
<div><input id="query" name="query" type="search" value="${query}" maxlength="1000"> <button class="button primary">${messages.search}</button></div>
</form></search>
${query === "" ? html`<p class="quiet">${messages.searchPrompt}</p>` : await results(query, frame, calls)}`;
  return { title: messages.search, main: mainPart({ title: messages.search, content }) };
}

async function results(query: string, { preferences }: Frame, { service, actor }: Calls): Promise<Html> {
  const { messages } = preferences;
  const request = { query, limit: pageSize, fields: "id,title,emoji" };
  const { total, data } = await invoke(service, operations.searchDocuments, actor, request);
  if (total === 0) return html`<p role="status">${messages.searchEmpty(query)}</p>`;
  const list = data.map(({ document, snippet }) => ({ ...document, detail: documentHtml(snippet) }));
  return html`<p role="status" class="quiet">${messages.searchResults(total)}</p>
${rows(preferences, list)}`;
}
