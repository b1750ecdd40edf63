import { BusyError } from "@kb/auth";
import { findPasswordReset, type Service, setPasswordByLink, usesPasswords } from "@kb/core";
import { type Edge, type EdgeContext, preferredLanguage } from "@kb/http";
import type { Hono } from "hono";
import { html } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { LogInFormGuard } from "../log-in-form-guard.ts";
import { mark } from "../pages/mark.ts";
import { answerPage } from "../pages/page.ts";
import { readForm } from "../read-form.ts";
import { answerWithoutPasswords } from "./answer-without-passwords.ts";
import { addressField, newPasswordField, problemNote } from "./fields.ts";
import { findPasswordProblem } from "./find-entry-problem.ts";
import { wordsOf } from "./words/words-of.ts";

type ResetOptions = {
  readonly service: Service;
  readonly forms: LogInFormGuard;
  /** The name of the single sign-on; undefined without one. */
  readonly singleSignOn: string | undefined;
};

type Shown = {
  readonly email: string;
  readonly problem?: string;
  readonly isInvalid?: boolean;
  readonly status?: ContentfulStatusCode;
};

/** Serves `/reset/{token}`: sets a new password. It logs nobody in, so that a second factor is asked for as always. */
export function serveReset(app: Hono<Edge>, options: ResetOptions): void {
  const { service, forms } = options;
  const path = "/reset/:token";
  const passwords = usesPasswords(service);

  app.get(path, async (context) => {
    if (!passwords) return answerWithoutPasswords(context, options.singleSignOn);
    const user = await findPasswordReset(service, context.req.param("token"));
    return user === null ? answerInvalid(context) : answerForm(context, options, { email: user.email });
  });

  app.post(path, async (context) => {
    const token = context.req.param("token");
    const { password, csrf } = await readForm(context, ["password", "csrf"]);
    forms.requireOwnForm(context, csrf);
    if (!passwords) return answerWithoutPasswords(context, options.singleSignOn);
    const user = await findPasswordReset(service, token);
    if (user === null) return answerInvalid(context);
    const { email } = user;
    const words = wordsOf(preferredLanguage(context));
    const found = await findPasswordProblem(password, user);
    if (found !== null) {
      const problem = words.problems[found.problem];
      return answerForm(context, options, { email, problem, isInvalid: true, status: 400 });
    }
    try {
      const { address, requestId } = context.var;
      const isSet = await setPasswordByLink(service, { token, password, address, requestId });
      return isSet ? answerDone(context) : answerInvalid(context);
    } catch (error) {
      if (!(error instanceof BusyError)) throw error;
      context.header("Retry-After", "5");
      return answerForm(context, options, { email, problem: words.busy, status: 503 });
    }
  });
}

function answerForm(
  context: EdgeContext,
  { forms }: ResetOptions,
  { email, problem, isInvalid = false, status = 200 }: Shown,
): Promise<Response> {
  const language = preferredLanguage(context);
  const words = wordsOf(language);
  const { title, lead, action } = words.reset;
  const body = html`${mark()}
<h1>${title}</h1>
<p class="quiet">${lead}</p>
${problemNote(problem)}
<form method="post">
<input type="hidden" name="csrf" value="${forms.csrfToken(context)}">
${addressField(words, email)}
${newPasswordField(words, { isInvalid, hasFocus: true })}
<button>${action}</button>
</form>`;
  return answerPage(context, { title: problem === undefined ? title : words.error(title), body, language, status });
}

function answerDone(context: EdgeContext): Promise<Response> {
  const language = preferredLanguage(context);
  const { reset, logIn } = wordsOf(language);
  const body = html`${mark()}
<h1>${reset.doneTitle}</h1>
<p role="status">${reset.done}</p>
<a class="button" href="/login">${logIn}</a>`;
  return answerPage(context, { title: reset.doneTitle, body, language });
}

function answerInvalid(context: EdgeContext): Promise<Response> {
  const language = preferredLanguage(context);
  const { invalidTitle, invalid, again } = wordsOf(language).reset;
  const body = html`<h1>${invalidTitle}</h1>
<p>${invalid}</p>
<a class="button" href="/forgot">${again}</a>`;
  return answerPage(context, { title: invalidTitle, body, language, status: 404 });
}
