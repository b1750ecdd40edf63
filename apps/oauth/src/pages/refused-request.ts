import type { EdgeContext } from "@kb/http";
import { html } from "hono/html";
import type { OauthError } from "../oauth-error.ts";
import { answerPage } from "./page.ts";

/** Answers why an app's request failed: in plain words for the user, and with the OAuth error for the app's developer. */
export function answerRefusedRequest(context: EdgeContext, { code, message, status, headers }: OauthError) {
  context.set("failure", { code });
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
  const { title, words } = explanations[code] ?? invalidRequest;
  const body = html`<h1>${title}</h1>
<p>${words}</p>
<p class="quiet">Nothing was allowed, and you were not sent back to the app.</p>
<p class="note">For the developer of the app:<br><code>${code}: ${message}</code></p>`;
  // A page does not ask for credentials, so the 401 of `invalid_client` becomes a 400.
  return answerPage(context, { title, body, status: status === 401 ? 400 : status });
}

/** A title and an explanation for the user. */
export type Explanation = { readonly title: string; readonly words: string };

/** The explanation of a fault that only the app's developer can correct. */
export const invalidRequest: Explanation = {
  title: "The app’s request is invalid",
  words: "You did nothing wrong. Try again from the app. If the problem remains, contact the app’s developer.",
};

const explanations: Readonly<Record<string, Explanation>> = {
  invalid_client: {
    title: "This app is not registered",
    words: "Its registration may have expired. Remove the connection in the app, then add it again.",
  },
  too_many_requests: {
    title: "Too many requests",
    words: "Too many people are connecting this app at the moment. Wait a minute, then try again.",
  },
};
