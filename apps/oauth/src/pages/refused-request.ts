import { type EdgeContext, preferredLanguage } from "@kb/http";
import { html } from "hono/html";
import type { OauthError } from "../oauth-error.ts";
import { answerPage } from "./page.ts";
import type { Explanation, PageWords } from "./words/page-words.ts";
import { pageWordsOf } from "./words/page-words-of.ts";

/** Answers why an app's request failed: in plain words for the user, and with the OAuth error for the app's developer. */
export function answerRefusedRequest(context: EdgeContext, { code, message, status, headers }: OauthError) {
  context.set("failure", { code });
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
  const language = preferredLanguage(context);
  const { forDevelopers, request } = pageWordsOf(language);
  const { title, words } = explanationOf(code, request);
  const body = html`<h1>${title}</h1>
<p>${words}</p>
<p class="quiet">${request.nothingAllowed}</p>
<p class="note">${forDevelopers}<br><code>${code}: ${message}</code></p>`;
  // A page does not ask for credentials, so the 401 of `invalid_client` becomes a 400.
  return answerPage(context, { title, body, language, status: status === 401 ? 400 : status });
}

/** Returns the explanation of a fault; only the app's developer can correct those without one of their own. */
function explanationOf(code: string, { unregistered, tooMany, invalid }: PageWords["request"]): Explanation {
  if (code === "invalid_client") return unregistered;
  return code === "too_many_requests" ? tooMany : invalid;
}
