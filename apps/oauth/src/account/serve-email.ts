import {
  type ConfirmedChange,
  confirmEmailChange,
  type FoundEmailChange,
  findEmailChange,
  type Service,
} from "@kb/core";
import { type Edge, type EdgeContext, preferredLanguage } from "@kb/http";
import type { Hono } from "hono";
import { html } from "hono/html";
import type { LogInFormGuard } from "../log-in-form-guard.ts";
import { mark } from "../pages/mark.ts";
import { answerPage } from "../pages/page.ts";
import { readForm } from "../read-form.ts";
import { wordsOf } from "./words/words-of.ts";

type EmailOptions = { readonly service: Service; readonly forms: LogInFormGuard };

/**
 * Serves `/login/email/{token}`: confirms the change of an address. Opening the link changes nothing, because programs that look at mails
 * open links too. It logs nobody in.
 */
export function serveEmail(app: Hono<Edge>, { service, forms }: EmailOptions): void {
  const path = "/login/email/:token";

  app.get(path, async (context) => {
    const change = await findEmailChange(service, context.req.param("token"));
    return change === null ? answerResult(context, { kind: "invalid" }) : answerForm(context, forms, change);
  });

  app.post(path, async (context) => {
    const { csrf } = await readForm(context, ["csrf"]);
    forms.requireOwnForm(context, csrf);
    const { address, requestId } = context.var;
    const token = context.req.param("token");
    return answerResult(context, await confirmEmailChange(service, { token, address, requestId }));
  });
}

function answerForm(context: EdgeContext, forms: LogInFormGuard, { from, to }: FoundEmailChange): Promise<Response> {
  const language = preferredLanguage(context);
  const words = wordsOf(language).emailChange;
  const body = html`${mark()}
<h1>${words.title}</h1>
<p>${words.question}</p>
<dl>
<div><dt>${words.from}</dt><dd dir="ltr">${from}</dd></div>
<div><dt>${words.to}</dt><dd dir="ltr">${to}</dd></div>
</dl>
<form method="post">
<input type="hidden" name="csrf" value="${forms.csrfToken(context)}">
<button>${words.action}</button>
</form>
<p class="small quiet">${words.notYou}</p>`;
  return answerPage(context, { title: words.title, body, language });
}

function answerResult(context: EdgeContext, result: ConfirmedChange): Promise<Response> {
  const language = preferredLanguage(context);
  const { emailChange, logIn } = wordsOf(language);
  const { title, text } = emailChange.results[result.kind];
  const body = html`${mark()}
<h1>${title}</h1>
<p role="status">${text}</p>
${result.kind === "invalid" ? "" : html`<p dir="ltr">${result.email}</p>`}
<a class="button" href="/">${result.kind === "changed" ? logIn : emailChange.toApp}</a>`;
  const status = result.kind === "invalid" ? 404 : result.kind === "taken" ? 409 : 200;
  return answerPage(context, { title, body, language, status });
}
