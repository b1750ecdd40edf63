import type { OauthClient } from "@kb/auth";
import type { EdgeContext } from "@kb/http";
import { html } from "hono/html";
import type { Destination } from "../clients/redirect-uri.ts";
import type { OauthError, OauthErrorCode } from "../oauth-error.ts";
import { answerPage, type Html } from "./page.ts";
import { type Explanation, invalidRequest } from "./refused-request.ts";

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
  const { title, words } = explanations[fault.code] ?? invalidRequest;
  const body = html`<h1>${title}</h1>
<p>${words}</p>
<p class="quiet">Nothing was allowed. <bdi>${client.name ?? "The app"}</bdi> registered itself, and you have not connected it. Continue only if you trust ${destinationName(destination)}.</p>
<a class="button second" href="${url}" rel="noreferrer">Continue to ${destinationName(destination)}</a>
<p class="note">For the developer of the app:<br><code>${fault.code}: ${fault.message}</code></p>`;
  return answerPage(context, { title, body, status: 400 });
}

function destinationName({ kind, shown }: Destination): Html {
  return kind === "app" ? html`the app for <code>${shown}:</code>` : html`<code>${shown}</code>`;
}

const consentNeeded: Explanation = {
  title: "The app needs your consent",
  words: "The app tried to connect without asking you. Connect it again from the app.",
};

const explanations: Partial<Readonly<Record<OauthErrorCode, Explanation>>> = {
  login_required: consentNeeded,
  consent_required: consentNeeded,
};
