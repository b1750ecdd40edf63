import { createHmac } from "node:crypto";
import { deriveKey } from "@kb/auth";
import { requestPasswordReset, type Service, usesPasswords } from "@kb/core";
import { clientNetwork, type Edge, type EdgeContext, preferredLanguage } from "@kb/http";
import type { Limiter } from "@kb/runtime";
import type { Hono } from "hono";
import { html } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { LogInFormGuard } from "../log-in-form-guard.ts";
import { mark } from "../pages/mark.ts";
import { answerPage, type Html } from "../pages/page.ts";
import { readForm } from "../read-form.ts";
import { answerWithoutPasswords } from "./answer-without-passwords.ts";
import { problemNote } from "./fields.ts";
import { wordsOf } from "./words/words-of.ts";

/** Dependencies of `/forgot`. */
export type ForgotOptions = {
  readonly service: Service;
  readonly forms: LogInFormGuard;
  readonly limiter: Limiter;
  readonly secret: string;
  /** The name of the single sign-on; undefined without one. */
  readonly singleSignOn: string | undefined;
};

const hourMs = 60 * 60 * 1000;
/** Requests within an hour, for one address and from one network. */
const maxPerAddress = 5;
const maxPerNetwork = 20;

/** Serves `/forgot`: asks for a link to set a new password. An address with an account and any other get the same answer. */
export function serveForgot(app: Hono<Edge>, options: ForgotOptions): void {
  const { service, forms, limiter } = options;
  const key = deriveKey(options.secret, "forgotten passwords");

  const passwords = usesPasswords(service);

  app.get("/forgot", (context) =>
    passwords ? answerForm(context, options, undefined, 200) : answerWithoutPasswords(context, options.singleSignOn),
  );

  app.post("/forgot", async (context) => {
    const { email, csrf } = await readForm(context, ["email", "csrf"]);
    forms.requireOwnForm(context, csrf);
    if (!passwords) return answerWithoutPasswords(context, options.singleSignOn);
    const { mail } = service;
    if (mail === undefined) return answerForm(context, options, undefined, 200);
    // Counts the typed address whether or not it has an account.
    const account = createHmac("sha256", key).update(email.trim().toLowerCase()).digest("base64url");
    const { address, requestId } = context.var;
    const windows = [
      { key: `forgot:network:${clientNetwork(address)}`, limit: maxPerNetwork, windowMs: hourMs },
      { key: `forgot:account:${account}`, limit: maxPerAddress, windowMs: hourMs },
    ];
    for (const window of windows) {
      const { allowed, resetMs } = await limiter.take(window);
      if (allowed) continue;
      context.header("Retry-After", String(Math.max(1, Math.ceil(resetMs / 1000))));
      return answerForm(context, options, wordsOf(preferredLanguage(context)).forgot.tooMany, 429);
    }
    await requestPasswordReset(service, mail, { email, address, requestId });
    return answerSent(context);
  });
}

function answerForm(
  context: EdgeContext,
  { service, forms }: ForgotOptions,
  problem: string | undefined,
  status: ContentfulStatusCode,
): Promise<Response> {
  const language = preferredLanguage(context);
  const words = wordsOf(language);
  const { title, lead, action, withoutMail } = words.forgot;
  const form = html`<p class="quiet">${lead}</p>
${problemNote(problem)}
<form method="post">
<input type="hidden" name="csrf" value="${forms.csrfToken(context)}">
<label for="email">${words.email}</label>
<input id="email" name="email" type="email" dir="ltr" autocomplete="username" required maxlength="254" autofocus>
<button>${action}</button>
</form>`;
  const body: Html = html`${mark()}
<h1>${title}</h1>
${service.mail === undefined ? html`<p>${withoutMail}</p>` : form}
<p class="small"><a href="/login">${words.logIn}</a></p>`;
  return answerPage(context, { title: problem === undefined ? title : words.error(title), body, language, status });
}

function answerSent(context: EdgeContext): Promise<Response> {
  const language = preferredLanguage(context);
  const { forgot, logIn } = wordsOf(language);
  const body = html`${mark()}
<h1>${forgot.sentTitle}</h1>
<p role="status">${forgot.sent}</p>
<a class="button second" href="/login">${logIn}</a>`;
  return answerPage(context, { title: forgot.sentTitle, body, language });
}
