import type { OauthClient } from "@kb/auth";
import { type EdgeContext, preferredLanguage } from "@kb/http";
import { html } from "hono/html";
import type { Destination } from "../clients/redirect-uri.ts";
import type { OauthError } from "../oauth-error.ts";
import { answerPage, type Html } from "./page.ts";
import type { PageWords } from "./words/page-words.ts";
import { pageWordsOf } from "./words/page-words-of.ts";

/** Contents of the page about an invalid request of an app that the user has not allowed. */
export type FaultyRequestPage = {
  readonly client: OauthClient;
  readonly fault: OauthError;
  readonly destination: Destination;
  /** The address that reports the error to the app. */
  readonly url: string;
};

/** Answers with the reason for which a request failed; only the user decides whether to follow the link to the app. */
export function answerFaultyRequest(context: EdgeContext, shown: FaultyRequestPage): Promise<Response> {
  const { client, fault, destination, url } = shown;
  const language = preferredLanguage(context);
  const { forDevelopers, request } = pageWordsOf(language);
  const needsConsent = fault.code === "login_required" || fault.code === "consent_required";
  const { title, words } = needsConsent ? request.needsConsent : request.invalid;
  const place = destinationName(destination, request);
  const body = html`<h1>${title}</h1>
<p>${words}</p>
<p class="quiet">${request.notConnected(client.name, place)}</p>
<a class="button second" href="${url}" rel="noreferrer">${request.continueTo(place)}</a>
<p class="note">${forDevelopers}<br><code>${fault.code}: ${fault.message}</code></p>`;
  return answerPage(context, { title, body, language, status: 400 });
}

function destinationName({ kind, shown }: Destination, { appFor }: PageWords["request"]): Html {
  return kind === "app" ? appFor(shown) : html`<code>${shown}</code>`;
}
