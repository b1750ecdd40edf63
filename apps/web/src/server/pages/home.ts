import { invoke, operations } from "@kb/core";
import type { EdgeContext } from "@kb/http";
import { type DocumentRow, withoutDraftMarks } from "../../client/api/listed-documents.ts";
import { queryKeys } from "../../client/api/query-keys.ts";
import { entryRow } from "../../client/screens/entry-row.ts";
import { mayImport } from "../../client/screens/may-import.ts";
import type { Messages } from "../../messages/index.ts";
import type { Frame } from "./frame.ts";
import { type Html, html } from "./html.ts";
import { mainPart } from "./main-part.ts";
import { rows } from "./rows.ts";
import type { Calls, Shown } from "./shown.ts";

/** Renders the first page: what the reader opened last, starred and drafted, and what others changed. */
export async function homePage(
  _: EdgeContext,
  { app, preferences, stars: starred }: Frame,
  { service, actor }: Calls,
): Promise<Shown> {
  const { messages } = preferences;
  const recent = await invoke(service, operations.listRecent, actor, {});
  const { viewed = [], changed = [], drafts = [] } = recent;
  const part = (title: string, entries: readonly DocumentRow[], more: Html | string = ""): Html | string =>
    entries.length === 0
      ? ""
      : html`<section class="part"><h2>${title}</h2>${rows(preferences, entries)}${more}</section>`;
  const isFirstUse = viewed.length + changed.length + drafts.length + starred.length === 0;
  const content = html`${isFirstUse ? firstUse(mayImport(app.user.capabilities), messages) : ""}
${part(messages.recentlyViewed, viewed.map(entryRow))}
${part(messages.starred, starred.map(entryRow))}
${part(
  messages.changedByOthers,
  changed.map((entry) => ({ ...entryRow(entry), timeForm: "minute" })),
)}
${part(messages.myDrafts, withoutDraftMarks(drafts.map(entryRow)), html`<p><a href="/drafts">${messages.allDrafts}</a></p>`)}`;
  return {
    title: messages.home,
    main: mainPart({ title: messages.home, content }),
    answers: [[queryKeys.recent(), recent]],
  };
}

const firstUse = (withImport: boolean, messages: Messages): Html =>
  html`<p class="quiet">${messages.homeWelcome} ${messages.homeFirst}</p>${withImport ? html`<p class="quiet"><a href="/settings/transfer">${messages.homeImport}</a></p>` : ""}`;
