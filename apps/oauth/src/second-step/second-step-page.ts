import { type EdgeContext, preferredLanguage } from "@kb/http";
import { html } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { problemNote } from "../account/fields.ts";
import { wordsOf } from "../account/words/words-of.ts";
import type { LogInFormGuard } from "../log-in-form-guard.ts";
import { mark } from "../pages/mark.ts";
import { answerPage } from "../pages/page.ts";
import { secondStepPath } from "../paths.ts";
import { logInPath } from "../return-to.ts";

/** Why the page asks again. */
type Refusal = {
  readonly problem: string;
  readonly status: ContentfulStatusCode;
  readonly isInvalid: boolean;
};

/** A log-in that waits for the code, as a ticket, and where it leads. */
type Waiting = { readonly ticket: string; readonly returnTo: string };

// Somebody may be logged in already with another account.
const startAgainPath = (returnTo: string): string => logInPath(returnTo, { switchUser: true });

/** Answers with the form that asks for the code. */
export function answerSecondStep(
  context: EdgeContext,
  forms: LogInFormGuard,
  { ticket, returnTo }: Waiting,
  refusal?: Refusal,
): Promise<Response> {
  const language = preferredLanguage(context);
  const words = wordsOf(language);
  const { title, lead, code, codeHint, action, startAgain } = words.secondStep;
  const isInvalid = refusal?.isInvalid === true;
  const body = html`${mark()}
<h1>${title}</h1>
<p class="quiet">${lead}</p>
${problemNote(refusal?.problem)}
<form method="post" action="${secondStepPath}">
<input type="hidden" name="csrf" value="${forms.csrfToken(context)}">
<input type="hidden" name="ticket" value="${ticket}">
<label for="code">${code}</label>
<input id="code" name="code" type="text" dir="ltr" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" required maxlength="40" autofocus aria-describedby="${isInvalid ? "problem code-hint" : "code-hint"}"${isInvalid ? html` aria-invalid="true"` : ""}>
<p class="hint" id="code-hint">${codeHint}</p>
<button>${action}</button>
</form>
<p class="small"><a href="${startAgainPath(returnTo)}">${startAgain}</a></p>`;
  const shown = refusal === undefined ? title : words.error(title);
  return answerPage(context, { title: shown, body, language, status: refusal?.status ?? 200 });
}

/** Answers that the log-in has to begin again. */
export function answerEnded(context: EdgeContext, returnTo = "/"): Promise<Response> {
  const language = preferredLanguage(context);
  const words = wordsOf(language);
  const { endedTitle, ended } = words.secondStep;
  const body = html`<h1>${endedTitle}</h1>
<p>${ended}</p>
<a class="button" href="${startAgainPath(returnTo)}">${words.logIn}</a>`;
  return answerPage(context, { title: endedTitle, body, language, status: 403 });
}
