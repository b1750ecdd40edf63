import type { NewAuthenticator } from "@kb/core";
import { type EdgeContext, preferredLanguage } from "@kb/http";
import { html } from "hono/html";
import { problemNote } from "../account/fields.ts";
import { wordsOf } from "../account/words/words-of.ts";
import type { LogInFormGuard } from "../log-in-form-guard.ts";
import { mark } from "../pages/mark.ts";
import { answerPage, type Html } from "../pages/page.ts";
import { secondStepPath } from "../paths.ts";
import { logInPath } from "../return-to.ts";
import { setUpWordsOf } from "./set-up-words.ts";

/** A log-in that waits for the set-up of a second factor: its ticket, where it leads, and the new app. */
type Waiting = { readonly ticket: string; readonly returnTo: string; readonly app: NewAuthenticator };

/** Answers with the form that sets up an authenticator app. `problem` says why it is shown again. */
export function answerSetUp(
  context: EdgeContext,
  forms: LogInFormGuard,
  { ticket, returnTo, app }: Waiting,
  problem?: string,
): Promise<Response> {
  const language = preferredLanguage(context);
  const { error, secondStep } = wordsOf(language);
  const words = setUpWordsOf(language);
  const isInvalid = problem !== undefined;
  const body = html`${mark()}
<h1>${words.title}</h1>
<p class="quiet">${words.lead}</p>
${problemNote(problem)}
<p>${words.scan}</p>
${qrPicture(app.qrCode, words.picture)}
<p>${words.key} <code dir="ltr">${app.secret}</code></p>
<form method="post" action="${secondStepPath}">
<input type="hidden" name="csrf" value="${forms.csrfToken(context)}">
<input type="hidden" name="ticket" value="${ticket}">
<input type="hidden" name="set_up" value="${app.ticket}">
<label for="code">${words.code}</label>
<input id="code" name="code" type="text" dir="ltr" inputmode="numeric" autocomplete="one-time-code" spellcheck="false" required maxlength="40" autofocus${isInvalid ? html` aria-describedby="problem" aria-invalid="true"` : ""}>
<button>${words.action}</button>
</form>
<p class="small"><a href="${logInPath(returnTo, { switchUser: true })}">${secondStep.startAgain}</a></p>`;
  const title = isInvalid ? error(words.title) : words.title;
  if (isInvalid) context.header("WWW-Authenticate", `Cookie form-action="${secondStepPath}"`);
  return answerPage(context, { title, body, language, status: isInvalid ? 401 : 200 });
}

/** Answers with the recovery codes, which no other page shows. The browser is logged in. */
export function answerRecoveryCodes(
  context: EdgeContext,
  codes: readonly string[],
  returnTo: string,
): Promise<Response> {
  const language = preferredLanguage(context);
  const words = setUpWordsOf(language);
  const body = html`${mark()}
<h1>${words.codesTitle}</h1>
<p>${words.codes}</p>
<ul>${codes.map((code) => html`<li><code dir="ltr">${code}</code></li>`)}</ul>
<a class="button" href="${returnTo}">${words.goOn}</a>`;
  return answerPage(context, { title: words.codesTitle, body, language });
}

/** Draws the code dark on light in every theme, with the border of four modules that readers need. */
function qrPicture({ size, path }: NewAuthenticator["qrCode"], title: string): Html {
  const side = size + 8;
  return html`<svg viewBox="-4 -4 ${side} ${side}" width="${4 * side}" height="${4 * side}" role="img" aria-label="${title}" shape-rendering="crispEdges"><path fill="#ffffff" d="M-4 -4h${side}v${side}h-${side}z"/><path fill="#000000" d="${path}"/></svg>`;
}
