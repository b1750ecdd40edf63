import {
  assertionOptions,
  issueChallenge,
  logInWithPasskey,
  type PasskeyLogInOutcome,
  relyingPartyOf,
  supportsPasskeys,
} from "@kb/auth";
import { notFound, usesPasswords } from "@kb/core";
import { type Edge, type EdgeContext, preferredLanguage } from "@kb/http";
import type { Hono } from "hono";
import { html } from "hono/html";
import { answerWithoutPasswords } from "./account/answer-without-passwords.ts";
import { problemNote } from "./account/fields.ts";
import { wordsOf } from "./account/words/words-of.ts";
import { completeLogIn, type LogInDependencies } from "./complete-log-in.ts";
import { recordFailedLogIn, recordLogIn } from "./log-in-audit.ts";
import type { LogInFormGuard } from "./log-in-form-guard.ts";
import { mark } from "./pages/mark.ts";
import { answerPage } from "./pages/page.ts";
import { passkeyForm } from "./pages/passkey-form.ts";
import { readPasskeyAnswer } from "./passkey-answer.ts";
import { passkeyPath } from "./paths.ts";
import { readForm } from "./read-form.ts";
import { redirectTo } from "./redirect.ts";
import { logInPath, safeReturnTo } from "./return-to.ts";

type PasskeyOptions = LogInDependencies & {
  readonly forms: LogInFormGuard;
  /** The name of the single sign-on; undefined without one. */
  readonly singleSignOn: string | undefined;
};

/** Serves `/login/passkey`: a log-in without password. The log-in page leads here; each answer has a challenge of its own. */
export function servePasskeyLogIn(app: Hono<Edge>, options: PasskeyOptions): void {
  const { service, forms } = options;

  // The page is the answer to a form, so its address alone leads to the beginning.
  app.get(passkeyPath, (context) => redirectTo(context, "/login"));

  app.post(passkeyPath, async (context) => {
    context.set("route", passkeyPath);
    const form = await readForm(context, ["csrf", "return_to", "credential"]);
    forms.requireOwnForm(context, form.csrf);
    if (!supportsPasskeys(service.appUrl)) throw notFound("Route");
    // The provider decides who may come in; a passkey stays a second step.
    if (!usesPasswords(service)) return answerWithoutPasswords(context, options.singleSignOn);
    const returnTo = safeReturnTo(form.return_to);
    if (form.credential === "") return answerQuestion(context, options, returnTo);
    const outcome = await attempt(context, options, form);
    if (outcome !== null && outcome.kind === "success") {
      return completeLogIn(context, options, outcome.session, returnTo);
    }
    if (outcome?.kind === "refused" && outcome.account !== null) {
      recordFailedLogIn(service, context, outcome.account, { method: "passkey", reason: outcome.reason });
    }
    context.header("WWW-Authenticate", `Cookie form-action="${passkeyPath}"`);
    return answerQuestion(context, options, returnTo, outcome);
  });
}

async function attempt(
  context: EdgeContext,
  { service: { database, clock, appUrl } }: PasskeyOptions,
  { csrf: browser, credential }: { readonly csrf: string; readonly credential: string },
): Promise<PasskeyLogInOutcome | null> {
  const assertion = readPasskeyAnswer(credential);
  if (assertion === null) return null;
  const { address } = context.var;
  const userAgent = context.req.header("User-Agent");
  return logInWithPasskey(
    database,
    { assertion, browser, address, userAgent },
    {
      appUrl,
      clock,
      onSuccess: (tx, { account, session }) =>
        recordLogIn(tx, context, clock.now(), { account, session, method: "passkey" }),
    },
  );
}

/** Answers with a question to the browser, and with the reason of the last refusal. */
async function answerQuestion(
  context: EdgeContext,
  { service, forms }: PasskeyOptions,
  returnTo: string,
  refused?: PasskeyLogInOutcome | null,
): Promise<Response> {
  const { database, clock, appUrl } = service;
  const language = preferredLanguage(context);
  const words = wordsOf(language);
  const { title, lead, withPassword, withoutScript, wrong, unverified } = words.passkey;
  const csrf = forms.csrfToken(context);
  const challenge = await issueChallenge(database, { purpose: "log_in", binding: csrf }, clock.now());
  const question = { challenge, passkeys: [], userVerification: "required" } as const;
  const options = await assertionOptions(relyingPartyOf(appUrl), question);
  const isUnverified = refused?.kind === "refused" && refused.reason === "unverified";
  const problem = refused === undefined ? undefined : isUnverified ? unverified : wrong;
  const startsNow = problem === undefined;
  const fields = { csrf, return_to: returnTo };
  const body = html`${mark()}
<h1>${title}</h1>
<p class="quiet">${lead}</p>
<p class="problem" id="without-script">${withoutScript}</p>
${problemNote(problem)}
${passkeyForm({ path: passkeyPath, options, startsNow, language, fields })}
<p class="small"><a href="${logInPath(returnTo, { switchUser: true })}">${withPassword}</a></p>`;
  const shown = problem === undefined ? title : words.error(title);
  const status = problem === undefined ? 200 : 401;
  return answerPage(context, { title: shown, body, language, status, script: "passkey" });
}
