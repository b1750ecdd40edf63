import { completeWithSecondFactor, type SecondStepOutcome } from "@kb/auth";
import { requireSealer, type Service, warnOfGuesses } from "@kb/core";
import { type Edge, type EdgeContext, preferredLanguage } from "@kb/http";
import { describeError } from "@kb/runtime";
import type { Hono } from "hono";
import { wordsOf } from "../account/words/words-of.ts";
import { completeLogIn, type LogInDependencies } from "../complete-log-in.ts";
import { recordFailedLogIn, recordLogIn } from "../log-in-audit.ts";
import type { LogInFormGuard } from "../log-in-form-guard.ts";
import { secondStepPath } from "../paths.ts";
import { readForm } from "../read-form.ts";
import { redirectTo } from "../redirect.ts";
import { completeByPasskey } from "./complete-by-passkey.ts";
import { completeSetUp } from "./complete-set-up.ts";
import { answerEnded, answerSecondStep } from "./second-step-page.ts";
import type { SecondSteps, WaitingLogIn } from "./second-steps.ts";

/** Dependencies of the second step. */
export type SecondStepOptions = LogInDependencies & {
  readonly forms: LogInFormGuard;
  readonly secondSteps: SecondSteps;
};

/** Serves the second step of a log-in: forms that the first step answers with. The one for codes works without script. */
export function serveSecondStep(app: Hono<Edge>, options: SecondStepOptions): void {
  const { forms, secondSteps, service } = options;

  // The page is the answer to a form, so its address alone leads to the beginning.
  app.get(secondStepPath, (context) => redirectTo(context, "/login"));

  app.post(secondStepPath, async (context) => {
    context.set("route", secondStepPath);
    const form = await readForm(context, ["csrf", "ticket", "code", "set_up", "credential"]);
    const { csrf, ticket, code, set_up: setUp } = form;
    forms.requireOwnForm(context, csrf);
    const opened = secondSteps.open(ticket);
    if (opened === null) return answerEnded(context);
    const { waiting, isOver } = opened;
    const { returnTo } = waiting;
    if (isOver) return answerEnded(context, returnTo);
    if (setUp !== "") return completeSetUp(context, options, waiting, { ticket, setUp, code });
    if (form.credential !== "") return completeByPasskey(context, options, waiting, form);
    const outcome = await complete(context, service, waiting, code);
    if (outcome.kind === "ended") return answerEnded(context, returnTo);
    if (outcome.kind === "success") return completeLogIn(context, options, outcome.session, returnTo);
    recordFailedLogIn(service, context, waiting.account, { method: waiting.method, step: "second" });
    const words = wordsOf(preferredLanguage(context)).secondStep;
    if (outcome.kind === "wrong") {
      if (outcome.isAlarming) {
        // Without a warning the code is wrong all the same. The next wrong code tries to warn again.
        await warnOfGuesses(service, waiting.account).catch((error: unknown) => {
          const { userId } = waiting.account;
          context.var.log.error({ userId, failure: describeError(error) }, "a warning of wrong codes was not written");
        });
      }
      if (outcome.isKeyUnreadable) {
        const advice = "APP_SECRET does not open the key of an authenticator app: see kb user reset-second-factor";
        context.var.log.error({ userId: waiting.account.userId }, advice);
      }
      context.header("WWW-Authenticate", `Cookie form-action="${secondStepPath}"`);
      const refusal = { problem: words.wrong, status: 401, isInvalid: true } as const;
      return answerSecondStep(context, options, { ...waiting, ticket }, refusal);
    }
    const { retryAfterSeconds } = outcome;
    context.header("Retry-After", String(retryAfterSeconds));
    const problem = words.throttled(Math.ceil(retryAfterSeconds / 60));
    return answerSecondStep(context, options, { ...waiting, ticket }, { problem, status: 429, isInvalid: false });
  });
}

function complete(
  context: EdgeContext,
  service: Service,
  { account, passwordMark, method }: WaitingLogIn,
  typed: string,
): Promise<SecondStepOutcome> {
  const { database, clock } = service;
  const { address } = context.var;
  const userAgent = context.req.header("User-Agent");
  const step = { account, passwordMark, typed, address, userAgent };
  return completeWithSecondFactor(database, step, {
    sealer: requireSealer(service.sealer),
    clock,
    onSuccess: (tx, { session, factor }) => recordLogIn(tx, context, clock.now(), { account, session, method, factor }),
  });
}
