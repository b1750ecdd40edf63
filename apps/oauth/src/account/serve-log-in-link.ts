import { findLogInLink, logInByLink } from "@kb/core";
import { type Edge, type EdgeContext, preferredLanguage } from "@kb/http";
import type { Hono } from "hono";
import { html } from "hono/html";
import { completeLogIn } from "../complete-log-in.ts";
import { mark } from "../pages/mark.ts";
import { answerPage } from "../pages/page.ts";
import { readForm } from "../read-form.ts";
import { beginSecondStep } from "../second-step/begin-second-step.ts";
import type { SecondSteps } from "../second-step/second-steps.ts";
import type { AccountOptions } from "./serve-join.ts";
import { wordsOf } from "./words/words-of.ts";

type LinkOptions = AccountOptions & { readonly secondSteps: SecondSteps };

/** Serves `/login/link/{token}`: logs in by a link of the operator. Only the button uses the link up, not a preview of it. */
export function serveLogInLink(app: Hono<Edge>, options: LinkOptions): void {
  const { service, forms } = options;
  const path = "/login/link/:token";

  app.get(path, async (context) => {
    const user = await findLogInLink(service, context.req.param("token"));
    if (user === null) return answerInvalid(context);
    const language = preferredLanguage(context);
    const { title, lead, action } = wordsOf(language).link;
    const body = html`${mark()}
<h1>${title}</h1>
<p>${lead(user.name, user.email)}</p>
<form method="post">
<input type="hidden" name="csrf" value="${forms.csrfToken(context)}">
<button autofocus>${action}</button>
</form>`;
    return answerPage(context, { title, body, language });
  });

  app.post(path, async (context) => {
    const { csrf } = await readForm(context, ["csrf"]);
    forms.requireOwnForm(context, csrf);
    const { address, requestId } = context.var;
    const userAgent = context.req.header("User-Agent");
    const used = await logInByLink(service, { token: context.req.param("token"), address, userAgent, requestId });
    if (used === null) return answerInvalid(context);
    if ("token" in used) return completeLogIn(context, options, used, "/");
    return beginSecondStep(context, options, { ...used, method: "link", returnTo: "/" });
  });
}

function answerInvalid(context: EdgeContext): Promise<Response> {
  const language = preferredLanguage(context);
  const { link, logIn } = wordsOf(language);
  const body = html`<h1>${link.invalidTitle}</h1>
<p>${link.invalid}</p>
<a class="button" href="/login">${logIn}</a>`;
  return answerPage(context, { title: link.invalidTitle, body, language, status: 404 });
}
