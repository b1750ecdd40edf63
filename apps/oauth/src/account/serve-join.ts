import { BusyError } from "@kb/auth";
import {
  acceptInvitation,
  findInvitation,
  findLogo,
  type InvitationPreview,
  ServiceError,
  usesPasswords,
} from "@kb/core";
import { type Edge, type EdgeContext, preferredLanguage } from "@kb/http";
import type { Hono } from "hono";
import { html } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { completeLogIn, type LogInDependencies } from "../complete-log-in.ts";
import type { LogInFormGuard } from "../log-in-form-guard.ts";
import { teamMark } from "../pages/mark.ts";
import { answerPage, type Html } from "../pages/page.ts";
import { providerButton } from "../pages/provider-button.ts";
import { pageWordsOf } from "../pages/words/page-words-of.ts";
import { readForm } from "../read-form.ts";
import { beginSecondStep } from "../second-step/begin-second-step.ts";
import type { SecondSteps } from "../second-step/second-steps.ts";
import { addressField, newPasswordField, problemNote } from "./fields.ts";
import { findNameProblem, findPasswordProblem } from "./find-entry-problem.ts";
import type { AccountWords } from "./words/account-words.ts";
import { wordsOf } from "./words/words-of.ts";

/** Dependencies of the pages of one's own account. */
export type AccountOptions = LogInDependencies & { readonly forms: LogInFormGuard };

type JoinOptions = AccountOptions & {
  readonly secondSteps: SecondSteps;
  /** The name of the single sign-on; undefined without one. */
  readonly singleSignOn: string | undefined;
};

type Shown = {
  readonly name?: string;
  readonly problem?: string | undefined;
  readonly field?: "name" | "password" | undefined;
  readonly status?: ContentfulStatusCode;
};

/** Serves `/join/{token}`: an invited person sets their name and password, and is logged in. Works without script. */
export function serveJoin(app: Hono<Edge>, options: JoinOptions): void {
  const { service } = options;
  const path = "/join/:token";

  app.get(path, async (context) => {
    const invitation = await findInvitation(service, context.req.param("token"));
    return invitation === null ? answerInvalid(context) : answerForm(context, options, invitation, {});
  });

  app.post(path, async (context) => {
    const token = context.req.param("token");
    const { name, password, csrf } = await readForm(context, ["name", "password", "csrf"]);
    options.forms.requireOwnForm(context, csrf);
    const invitation = await findInvitation(service, token);
    if (invitation === null) return answerInvalid(context);
    if (!usesPasswords(service)) return answerForm(context, options, invitation, { status: 403 });
    const language = preferredLanguage(context);
    const words = wordsOf(language);
    const { email } = invitation;
    const found = findNameProblem(name) ?? (await findPasswordProblem(password, { name, email }));
    if (found !== null) {
      const { field, problem } = found;
      return answerForm(context, options, invitation, { name, field, problem: words.problems[problem], status: 400 });
    }
    try {
      const { address, requestId } = context.var;
      const userAgent = context.req.header("User-Agent");
      const given = { token, name, password, language, address, userAgent, requestId };
      const joined = await acceptInvitation(service, given);
      if (joined === null) return answerInvalid(context);
      if ("token" in joined) return completeLogIn(context, options, joined, "/");
      return beginSecondStep(context, options, { ...joined, method: "password", returnTo: "/" });
    } catch (error) {
      if (error instanceof BusyError) {
        context.header("Retry-After", "5");
        return answerForm(context, options, invitation, { name, problem: words.busy, status: 503 });
      }
      if (!(error instanceof ServiceError) || error.code !== "conflict") throw error;
      return answerForm(context, options, invitation, { name, problem: words.join.taken, status: 409 });
    }
  });
}

async function answerForm(
  context: EdgeContext,
  { service, forms, singleSignOn }: JoinOptions,
  { teamId, team, invitedBy, email }: InvitationPreview & { readonly teamId: string },
  { name = "", problem, field, status = 200 }: Shown,
): Promise<Response> {
  const language = preferredLanguage(context);
  const words = wordsOf(language);
  const title = words.join.title(team);
  const logo = await findLogo(service.database, teamId);
  const nameInvalid = field === "name" ? html` aria-invalid="true" aria-describedby="problem"` : "";
  if (!usesPasswords(service) && singleSignOn !== undefined) {
    const body = html`${teamMark(logo)}
<h1>${title}</h1>
<p class="quiet">${words.join.leadByProvider(invitedBy, singleSignOn)}</p>
${addressField(words, email)}
${joinButton(words, singleSignOn, false)}`;
    return answerPage(context, { title, body, language, status });
  }
  const body = html`${teamMark(logo)}
<h1>${title}</h1>
<p class="quiet">${words.join.lead(invitedBy)}</p>
${problemNote(problem)}
<form method="post">
<input type="hidden" name="csrf" value="${forms.csrfToken(context)}">
${addressField(words, email)}
<label for="name">${words.name}</label>
<input id="name" name="name" type="text" dir="auto" autocomplete="name" required maxlength="255" value="${name}"${nameInvalid}${field === "password" ? "" : html` autofocus`}>
${newPasswordField(words, { isInvalid: field === "password", hasFocus: field === "password" })}
<button>${words.join.action}</button>
</form>
${singleSignOn === undefined ? "" : html`<p class="or">${pageWordsOf(language).logIn.or}</p>${joinButton(words, singleSignOn, true)}`}`;
  return answerPage(context, { title: problem === undefined ? title : words.error(title), body, language, status });
}

/** The button by which an invited person joins with the account of their provider, which proves the address. */
function joinButton({ join }: AccountWords, singleSignOn: string, isSecond: boolean): Html {
  return html`${providerButton({ text: join.withProvider(singleSignOn), isSecond })}
<p class="hint">${join.sameAddress(singleSignOn)}</p>`;
}

/** Answers like an address that does not exist: a link that is used up and one that never was look alike. */
function answerInvalid(context: EdgeContext): Promise<Response> {
  const language = preferredLanguage(context);
  const { join, logIn } = wordsOf(language);
  const body = html`<h1>${join.invalidTitle}</h1>
<p>${join.invalid}</p>
<a class="button" href="/login">${logIn}</a>`;
  return answerPage(context, { title: join.invalidTitle, body, language, status: 404 });
}
