import type { OutputOf } from "../../client/api/contract.ts";
import { countWordsOfHtml } from "../../client/reading/count-words.ts";
import { entryRow } from "../../client/screens/entry-row.ts";
import type { ViewData } from "../boot-data.ts";
import type { Preferences } from "../preferences.ts";
import { type DocumentFiles, files } from "./files.ts";
import { type Html, html } from "./html.ts";
import { rows, when } from "./rows.ts";

/** What belongs to a document: the documents that link to it, and its files. */
type Belongings = { readonly backlinks: OutputOf<"documents.backlinks">; readonly attached: DocumentFiles };

/** Renders the facts about a document below its text, its files, and what links to it. */
export function properties(view: ViewData, { backlinks, attached }: Belongings, preferences: Preferences): Html {
  const { messages } = preferences;
  const { document, createdBy, lastModifiedBy, html: body = "" } = view;
  const hidden = backlinks.total - backlinks.data.length;
  const more = hidden > 0 ? html`<p class="quiet">${messages.andMore(hidden)}</p>` : "";
  const links =
    backlinks.data.length === 0
      ? ""
      : html`<section class="part"><h2>${messages.backlinks}</h2>${rows(preferences, backlinks.data.map(entryRow))}${more}</section>`;
  const by = (person: ViewData["createdBy"]): Html | string =>
    person === null ? "" : html`<bdi>${person.name}</bdi> ·`;
  const revision = messages.revision(document.revision);
  const history =
    document.deletedAt === null ? html`<a href="/documents/${document.id}/history">${revision}</a>` : revision;
  const property = (name: string, value: Html | string): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`${links}${files(attached, preferences)}<section class="part"><h2>${messages.properties}</h2><dl class="properties">
${property(messages.created, html`${by(createdBy)} ${when(preferences, document.createdAt)}`)}
${property(messages.updated, html`${by(lastModifiedBy)} ${when(preferences, document.updatedAt)}`)}
${property(messages.length, messages.wordCount(countWordsOfHtml(body)))}
${property(messages.history, history)}
</dl></section>`;
}
