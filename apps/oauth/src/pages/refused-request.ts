import type { EdgeContext } from "@kb/http";
import { html } from "hono/html";
import type { OauthError } from "../oauth-error.ts";
import { answerPage } from "./page.ts";

/** Says why an app's request leads nowhere: in words for the user, and in the protocol's for whoever makes the app. */
export function answerRefusedRequest(context: EdgeContext, { code, message, status, headers }: OauthError) {
  context.set("failure", { code });
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
  const { title, words } = explanations[code] ?? faulty;
  const body = html`<h1>${title}</h1>
<p>${words}</p>
<p class="quiet">You were not sent back to it, and nothing was allowed.</p>
<p class="note">For whoever makes the app:<br><code>${code}: ${message}</code></p>`;
  // Nobody is asked for credentials: of the 401 of a program only the words are left.
  return answerPage(context, { title, body, status: status === 401 ? 400 : status });
}

type Explanation = { readonly title: string; readonly words: string };

const faulty: Explanation = {
  title: "The app asked in a wrong way",
  words: "It is nothing that you did. Try once more from the app; if that does not help, tell those who make it.",
};

const explanations: Readonly<Record<string, Explanation>> = {
  invalid_client: {
    title: "This app is not known here",
    words: "Its registration may have run out. Remove the connection in the app and add it again: it registers anew.",
  },
  too_many_requests: {
    title: "Not just now",
    words: "The app is asked for by very many people at once. Wait a minute, then try again.",
  },
};
