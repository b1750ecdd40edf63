import { invoke, operations, ServiceError } from "@kb/core";
import type { EdgeContext } from "@kb/http";
import { type ParentPlace, placeOfView, placeRequest } from "../../client/actions/place-query.ts";
import { queryKeys } from "../../client/api/query-keys.ts";
import {
  type FoundPlace,
  findPlace,
  newParameters,
  parentOf,
  writableCollections,
} from "../../client/screens/new-place.ts";
import type { Messages } from "../../messages/index.ts";
import { administrators } from "./administrators.ts";
import type { Frame } from "./frame.ts";
import { type Html, html } from "./html.ts";
import { mainPart } from "./main-part.ts";
import { emojiOf } from "./rows.ts";
import type { Calls, Shown } from "./shown.ts";

/** Renders the form for a new document at the place in the address. Reading the page creates nothing: the app does, once it is told to. */
export async function newPage(context: EdgeContext, frame: Frame, calls: Calls): Promise<Shown> {
  const { app, preferences } = frame;
  const { messages } = preferences;
  const title = messages.newDocument;
  if (writableCollections(app.collections).length === 0) {
    const { part, answers } = await administrators(preferences, { service: calls.service, caller: calls.actor });
    return { title, main: mainPart({ title, content: html`<p>${messages.noPlace}</p>${part}` }), answers };
  }
  const parameters = newParameters(context.req.query());
  const id = parentOf(parameters);
  const parent = id === undefined ? null : await readParent(calls, id);
  const found = findPlace(parameters, { collections: app.collections, parent, untitled: messages.untitled });
  // No form: without the app nothing could be done with what it sends.
  const content = html`<noscript><p class="notice">${messages.newNeedsScript}</p></noscript>
<div class="new-form">
<label>${messages.newTitle}<input name="title" dir="auto" autocomplete="off" maxlength="${2 * app.limits.maxTitleLength}"></label>
<div><p class="new-label">${messages.newPlace}</p>${placeText(found, messages)}
<span class="button actions-space" aria-hidden="true">${found.kind === "open" ? messages.newChooseOther : messages.newChoose}</span></div>
<p><span class="button primary actions-space" aria-hidden="true">${messages.newCreate}</span></p>
</div>`;
  return {
    title,
    main: mainPart({ title, content }),
    ...(id !== undefined && { answers: [[queryKeys.place(id), parent]] }),
  };
}

/** Reads the document above the new one; null if it does not exist, or not for the reader. */
async function readParent({ service, actor }: Calls, id: string): Promise<ParentPlace | null> {
  try {
    return placeOfView(await invoke(service, operations.viewDocument, actor, placeRequest(id)));
  } catch (error) {
    if (error instanceof ServiceError && (error.code === "not_found" || error.code === "forbidden")) return null;
    throw error;
  }
}

function placeText(found: FoundPlace, messages: Messages): Html {
  if (found.kind === "open") {
    const above = found.above.join(" / ");
    const detail = above === "" ? "" : html`<span class="row-detail"><bdi>${above}</bdi></span>`;
    return html`<p><span class="row-title" dir="auto">${emojiOf(found.emoji)}${found.name}</span>${detail}</p>`;
  }
  if (found.kind === "unchosen") return html`<p class="quiet">${messages.newUnchosen}</p>`;
  const reason = found.kind === "absent" ? messages.newAbsent : messages.newClosed[found.why](found.name);
  return html`<div class="notice"><span>${reason}</span></div>`;
}
