import { type EdgeContext, tellError } from "@kb/http";
import { html } from "hono/html";
import { answerPage } from "./page.ts";

/** Says what went wrong and where to go on; of what is our own fault, the number under which it is in the log. */
export function answerProblem(context: EdgeContext, thrown: unknown): Promise<Response> {
  const { status, body } = tellError(context, thrown);
  const title = headings[status] ?? "This did not work";
  const message = status === 404 ? "There is no page at this address." : body.error;
  const number =
    status >= 500
      ? html`<p class="quiet">If it happens again, tell whoever runs this service the number ${context.var.requestId}.</p>`
      : "";
  const shown = html`<h1>${title}</h1>
<p>${message}</p>
${number}
<a class="button" href="/login">To the log-in page</a>`;
  return answerPage(context, { title, body: shown, status });
}

const headings: Readonly<Record<number, string>> = {
  404: "There is nothing here",
  500: "Something went wrong",
  503: "Not just now",
};
