import {
  assertionOptions,
  type FirstStep,
  issueChallenge,
  readFactorParts,
  readPasskeys,
  relyingPartyOf,
  secondStepBinding,
  supportsPasskeys,
} from "@kb/auth";
import type { Service } from "@kb/core";
import { type EdgeContext, preferredLanguage } from "@kb/http";
import { html } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { problemNote } from "../account/fields.ts";
import { wordsOf } from "../account/words/words-of.ts";
import type { LogInFormGuard } from "../log-in-form-guard.ts";
import { mark } from "../pages/mark.ts";
import { answerPage } from "../pages/page.ts";
import { passkeyForm } from "../pages/passkey-form.ts";
import { secondStepPath } from "../paths.ts";
import { logInPath } from "../return-to.ts";

/** Why the page asks again. */
type Refusal = {
  readonly problem: string;
  readonly status: ContentfulStatusCode;
  readonly isInvalid: boolean;
};

type Dependencies = { readonly service: Service; readonly forms: LogInFormGuard };

/** A log-in that waits for its second step, and its ticket. */
type Waiting = FirstStep & { readonly ticket: string; readonly returnTo: string };

// Somebody may be logged in already with another account.
const startAgainPath = (returnTo: string): string => logInPath(returnTo, { switchUser: true });

/** Answers with the form that asks for the code, and above it with the one for a passkey if the user has one. */
export async function answerSecondStep(
  context: EdgeContext,
  { service, forms }: Dependencies,
  waiting: Waiting,
  refusal?: Refusal,
): Promise<Response> {
  const { ticket, returnTo } = waiting;
  const language = preferredLanguage(context);
  const words = wordsOf(language);
  const { title, lead, action, startAgain } = words.secondStep;
  const csrf = forms.csrfToken(context);
  const hasApp = (await readFactorParts(service.database, waiting.account))?.hasApp !== false;
  const { code, codeHint } = hasApp
    ? words.secondStep
    : { code: words.passkey.recoveryCode, codeHint: words.passkey.recoveryHint };
  const options = await passkeyQuestion(service, waiting, csrf);
  const fields = { csrf, ticket };
  const isInvalid = refusal?.isInvalid === true;
  const body = html`${mark()}
<h1>${title}</h1>
<p class="quiet">${lead}</p>
${problemNote(refusal?.problem)}
${options === null ? "" : html`${passkeyForm({ path: secondStepPath, options, language, fields })}`}
<form method="post" action="${secondStepPath}">
<input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="ticket" value="${ticket}">
<label for="code">${code}</label>
<input id="code" name="code" type="text" dir="ltr" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" required maxlength="40" autofocus aria-describedby="${isInvalid ? "problem code-hint" : "code-hint"}"${isInvalid ? html` aria-invalid="true"` : ""}>
<p class="hint" id="code-hint">${codeHint}</p>
<button>${action}</button>
</form>
<p class="small"><a href="${startAgainPath(returnTo)}">${startAgain}</a></p>`;
  const shown = refusal === undefined ? title : words.error(title);
  const status = refusal?.status ?? 200;
  const page = { title: shown, body, language, status };
  return answerPage(context, options === null ? page : { ...page, script: "passkey" });
}

/** Returns the options with which a browser asks for a passkey of the user; null for a user without one. */
async function passkeyQuestion({ database, clock, appUrl }: Service, waiting: Waiting, browser: string) {
  if (!supportsPasskeys(appUrl)) return null;
  const passkeys = await readPasskeys(database, waiting.account);
  if (passkeys.length === 0) return null;
  const use = { purpose: "second_step", binding: secondStepBinding(waiting, browser) } as const;
  const challenge = await issueChallenge(database, use, clock.now());
  return assertionOptions(relyingPartyOf(appUrl), { challenge, passkeys, userVerification: "discouraged" });
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
