import { BusyError, deriveKey, type LogInOutcome, logIn, supportsPasskeys } from "@kb/auth";
import { type Language, usesPasswords } from "@kb/core";
import { clientNetwork, type Edge, type EdgeContext, preferredLanguage } from "@kb/http";
import type { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { wordsOf } from "./account/words/words-of.ts";
import { completeLogIn, type LogInDependencies } from "./complete-log-in.ts";
import { recordFailedLogIn, recordLogIn } from "./log-in-audit.ts";
import type { LogInFormGuard } from "./log-in-form-guard.ts";
import { type LogInPage, logInBody } from "./pages/log-in.ts";
import { answerPage } from "./pages/page.ts";
import { pageWordsOf } from "./pages/words/page-words-of.ts";
import { readForm } from "./read-form.ts";
import { redirectTo } from "./redirect.ts";
import { safeReturnTo } from "./return-to.ts";
import { beginSecondStep } from "./second-step/begin-second-step.ts";
import type { SecondSteps } from "./second-step/second-steps.ts";

/** Dependencies of `/login`. */
export type LogInOptions = LogInDependencies & {
  readonly forms: LogInFormGuard;
  readonly secondSteps: SecondSteps;
  readonly secret: string;
  /** The name of the single sign-on; undefined without one. */
  readonly singleSignOn: string | undefined;
};

type Shown = Omit<LogInPage, "csrf" | "singleSignOn" | "language" | "offersPasskeys" | "passwords">;

/** Serves `/login`: a form that works without script. */
export function serveLogIn(app: Hono<Edge>, options: LogInOptions): void {
  const { service, sessions, forms, secret, singleSignOn } = options;
  const offersPasskeys = supportsPasskeys(service.appUrl);
  const key = deriveKey(secret, "failed log-ins");
  const passwords = usesPasswords(service);
  const show = (context: EdgeContext, shown: Shown, status: ContentfulStatusCode) => {
    const language = preferredLanguage(context);
    const { title } = pageWordsOf(language).logIn;
    return answerPage(context, {
      title: shown.problem === undefined ? title : wordsOf(language).error(title),
      body: logInBody({ ...shown, language, passwords, csrf: forms.csrfToken(context), singleSignOn, offersPasskeys }),
      language,
      status,
    });
  };

  app.get("/login", async (context) => {
    context.set("route", "/login");
    const returnTo = safeReturnTo(context.req.query("return_to"));
    // A user who wants to use another account gets the form although they are logged in.
    const switchUser = context.req.query("other") === "1";
    if (!switchUser && (await sessions.find(context)) !== null) return redirectTo(context, returnTo);
    return show(context, { returnTo, switchUser }, 200);
  });

  app.post("/login", async (context) => {
    context.set("route", "/login");
    const form = await readForm(context, ["email", "password", "csrf", "return_to"]);
    const returnTo = safeReturnTo(form.return_to);
    forms.requireOwnForm(context, form.csrf);
    if (!passwords) {
      return show(context, { returnTo, problem: pageWordsOf(preferredLanguage(context)).logIn.passwordsOff }, 403);
    }
    const outcome = await attemptLogIn(context, options, key, form);
    if (outcome !== "busy" && outcome.kind === "success") {
      return completeLogIn(context, options, outcome.session, returnTo);
    }
    if (outcome !== "busy" && outcome.kind === "second_step") {
      const { account, passwordMark, needs } = outcome;
      return beginSecondStep(context, options, { account, passwordMark, needs, method: "password", returnTo });
    }
    const { status, problem, retryAfterSeconds, fieldsInvalid } = refusalOf(outcome, preferredLanguage(context));
    if (status === 401) context.header("WWW-Authenticate", 'Cookie form-action="/login"');
    if (retryAfterSeconds !== undefined) context.header("Retry-After", String(retryAfterSeconds));
    return show(context, { returnTo, email: form.email, problem, fieldsInvalid }, status);
  });
}

async function attemptLogIn(
  context: EdgeContext,
  { service }: LogInDependencies,
  key: Uint8Array,
  { email, password }: { email: string; password: string },
): Promise<LogInOutcome | "busy"> {
  const { address } = context.var;
  const { database, clock } = service;
  const userAgent = context.req.header("User-Agent");
  try {
    const outcome = await logIn(
      database,
      { email, password, address, network: clientNetwork(address), userAgent },
      {
        key,
        clock,
        onSuccess: (tx, { account, session }) =>
          recordLogIn(tx, context, clock.now(), { account, session, method: "password" }),
      },
    );
    // A failure for an unknown e-mail address belongs to no team's audit log.
    if (outcome.kind === "failure" && outcome.account !== null) recordFailedLogIn(service, context, outcome.account);
    return outcome;
  } catch (error) {
    if (error instanceof BusyError) return "busy";
    throw error;
  }
}

type Refusal = { status: 401 | 429 | 503; problem: string; retryAfterSeconds?: number; fieldsInvalid: boolean };

type Failed = Exclude<LogInOutcome, { kind: "success" | "second_step" }> | "busy";

function refusalOf(outcome: Failed, language: Language): Refusal {
  const { throttled, wrong, fewLeft } = pageWordsOf(language).logIn;
  if (outcome === "busy") {
    return { status: 503, problem: wordsOf(language).busy, retryAfterSeconds: 5, fieldsInvalid: false };
  }
  if (outcome.kind === "throttled") {
    const { retryAfterSeconds } = outcome;
    const problem = throttled(Math.ceil(retryAfterSeconds / 60));
    return { status: 429, problem, retryAfterSeconds, fieldsInvalid: false };
  }
  if (!outcome.accountLimited) return { status: 401, problem: wrong, fieldsInvalid: true };
  return { status: 429, problem: `${wrong} ${fewLeft}`, retryAfterSeconds: 15 * 60, fieldsInvalid: true };
}
