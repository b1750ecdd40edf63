import { invoke, operations } from "@kb/core";
import type { EdgeContext } from "@kb/http";
import { pageOfList } from "../../client/api/listed-documents.ts";
import { picturesIn, picturesInput } from "../../client/api/pictures.ts";
import { queryKeys } from "../../client/api/query-keys.ts";
import { withCalloutKinds } from "../../client/reading/callout-kinds.ts";
import { diffLines } from "../../client/reading/diff-lines.ts";
import { withFaultWords } from "../../client/reading/fault-words.ts";
import { credentialOf, historyDays, historyNote } from "../../client/reading/history-days.ts";
import type { Preferences } from "../preferences.ts";
import { directionAttribute } from "./direction-attribute.ts";
import { face } from "./face.ts";
import type { Frame } from "./frame.ts";
import { documentHtml, type Html, html } from "./html.ts";
import { mainPart } from "./main-part.ts";
import { pageAddress, pageLinks, pageOf } from "./page-links.ts";
import { when } from "./rows.ts";
import { type Calls, pathParameter, type Shown } from "./shown.ts";

/** Renders the history of a document: its stored states by day, the newest first. */
export async function historyPage(context: EdgeContext, frame: Frame, calls: Calls): Promise<Shown> {
  const { service, actor } = calls;
  const { preferences } = frame;
  const { messages } = preferences;
  const id = pathParameter(context, "documentId");
  const page = pageOf(context);
  const { document } = await invoke(service, operations.viewDocument, actor, { id, include: [], prefetch: true });
  const revisions = await invoke(service, operations.listRevisions, actor, { id, ...pageOfList(page) });
  const { data, total } = revisions;
  const asked = picturesInput(data.flatMap(({ author }) => (author === null ? [] : [author.id])));
  const people = await invoke(service, operations.listDirectory, actor, asked);
  const pictures = picturesIn(people);
  const by = (author: (typeof data)[number]["author"]): Html | string =>
    author === null ? "" : face({ userId: author.id, name: author.name, picture: pictures.get(author.id) ?? null });
  const undoes = (undone: number | undefined): string => (undone === undefined ? "" : `${messages.undoes(undone)} · `);
  const row = (entry: (typeof data)[number]): Html => html`<li><a href="/documents/${id}/history/${entry.revision}">
<span class="row-title">${messages.revision(entry.revision)}</span>
<span class="row-detail">${by(entry.author)}${namePart(entry.author?.name ?? null)}${namePart(credentialOf(entry))}${undoes(entry.undoes)}${when(preferences, entry.createdAt, "time")}</span>
</a></li>`;
  const days = historyDays(data, preferences.locale).map(
    ([day, entries]) => html`<section class="part"><h2>${day}</h2><ul class="rows">${entries.map(row)}</ul></section>`,
  );
  const title = messages.historyOf(document.title || messages.untitled);
  const content = html`<p class="quiet">${historyNote(total, data, messages)}</p>${days}
${pageLinks({ page, total, address: pageAddress(frame.path), messages })}`;
  return {
    title,
    main: mainPart({ title, before: back(id, messages.backToDocument), content }),
    answers: [
      [queryKeys.revisions(id, page), revisions],
      [queryKeys.operation("users.directory", asked), people],
    ],
  };
}

/** Renders one state of a document, and what changed since the one before. */
export async function revisionPage(context: EdgeContext, { preferences }: Frame, calls: Calls): Promise<Shown> {
  const { service, actor } = calls;
  const { messages } = preferences;
  const id = pathParameter(context, "documentId");
  const revision = Number(pathParameter(context, "revision"));
  const view = await invoke(service, operations.viewRevision, actor, { id, revision });
  const title = view.title || messages.untitled;
  const text = withFaultWords(withCalloutKinds(view.html, preferences.locale), messages.formulaFaults);
  const by = view.author === null ? "" : html`<span><bdi>${view.author.name}</bdi></span>`;
  const undoes = view.undoes === undefined ? "" : html`<span>${messages.undoes(view.undoes)}</span>`;
  const content = html`<p class="facts"><span>${messages.revision(view.revision)}</span>${by}${when(preferences, view.createdAt, "minute")}${undoes}</p>
<div><article class="prose"${directionAttribute(view.html)}>${documentHtml(text)}</article></div>
${changes(view.diff, preferences)}`;
  const before = back(`${id}/history`, messages.history);
  return { title, main: mainPart({ title, emoji: view.emoji, before, content }) };
}

const namePart = (name: string | null): Html | string => (name === null ? "" : html`<bdi>${name}</bdi> · `);

const back = (path: string, text: string): Html => html`<p class="crumbs"><a href="/documents/${path}">${text}</a></p>`;

function changes(diff: string | null, { messages }: Preferences): Html | string {
  if (diff === null) return "";
  const lines = diffLines(diff).map(({ kind, text }) => {
    if (kind === "added") return html`<ins dir="auto">${text}</ins>`;
    return kind === "removed" ? html`<del dir="auto">${text}</del>` : html`<span dir="auto">${text}</span>`;
  });
  const shown =
    lines.length === 0
      ? html`<p class="quiet">${messages.changesNone}</p>`
      : html`<section class="diff" tabindex="0" aria-label="${messages.changes}">${lines}</section>`;
  return html`<section class="part"><h2>${messages.changes}</h2>${shown}</section>`;
}
