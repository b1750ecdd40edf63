import { type EdgeContext, preferredLanguage, recordError } from "@kb/http";
import { html } from "hono/html";
import { answerPage } from "./page.ts";
import { pageWordsOf } from "./words/page-words-of.ts";

/** Answers with an error page; for our own failures it shows the request id, under which the error is logged. */
export function answerProblem(context: EdgeContext, thrown: unknown): Promise<Response> {
  const { status, body } = recordError(context, thrown);
  const language = preferredLanguage(context);
  const words = pageWordsOf(language).problem;
  const title = words.titles[status] ?? words.title;
  const message = status === 404 ? words.notFound : words.message(body);
  const reference = status >= 500 ? html`<p class="quiet">${words.reference(context.var.requestId)}</p>` : "";
  const shown = html`<h1>${title}</h1>
<p>${message}</p>
${reference}
<a class="button" href="/login">${words.toLogIn}</a>`;
  return answerPage(context, { title, body: shown, language, status });
}
