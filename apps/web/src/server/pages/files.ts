import type { OutputOf } from "../../client/api/contract.ts";
import { extensionOf, hasPreview, sizeText } from "../../client/parts/file-row.ts";
import type { Preferences } from "../preferences.ts";
import { type Html, html } from "./html.ts";
import { when } from "./rows.ts";

/** A page of the files of a document. */
export type DocumentFiles = OutputOf<"attachments.list">;

/** Renders the files of a document below its text; nothing if it has none. */
export function files({ data, total }: DocumentFiles, preferences: Preferences): Html | string {
  if (data.length === 0) return "";
  const { messages, locale } = preferences;
  const list = data.map(({ name, size, url, isPicture, createdAt }) => {
    const picture = hasPreview({ isPicture, size })
      ? html`<img class="file-picture" src="${url}" alt="" loading="lazy">`
      : html`<span class="file-picture" aria-hidden="true">${extensionOf(name)}</span>`;
    return html`<li><a href="${url}">${picture}<span class="row-title" dir="auto">${name}</span> <span class="row-detail">${sizeText(size, locale)} · ${when(preferences, createdAt)}</span></a></li>`;
  });
  const hidden = total - data.length;
  const more = hidden > 0 ? html`<p class="quiet">${messages.andMore(hidden)}</p>` : "";
  return html`<section class="part"><h2>${messages.files}</h2><ul class="rows files">${list}</ul>${more}</section>`;
}
