import { type EdgeContext, recordError } from "@kb/http";
import { html } from "hono/html";
import { answerPage } from "./page.ts";

/** Answers with an error page; for our own failures it shows the request id, under which the error is logged. */
export function answerProblem(context: EdgeContext, thrown: unknown): Promise<Response> {
  const { status, body } = recordError(context, thrown);
  const title = titles[status] ?? "This did not work";
  const message = status === 404 ? "This address does not exist." : body.error;
  const reference =
    status >= 500
      ? html`<p class="quiet">If this happens again, give your administrator this number: ${context.var.requestId}.</p>`
      : "";
  const shown = html`<h1>${title}</h1>
<p>${message}</p>
${reference}
<a class="button" href="/login">Go to the log-in page</a>`;
  return answerPage(context, { title, body: shown, status });
}

const titles: Readonly<Record<number, string>> = {
  404: "Page not found",
  500: "Something went wrong",
  503: "Temporarily unavailable",
};
