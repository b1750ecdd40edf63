import { completeWithPasskey } from "@kb/auth";
import { type EdgeContext, preferredLanguage } from "@kb/http";
import { wordsOf } from "../account/words/words-of.ts";
import { completeLogIn, type LogInDependencies } from "../complete-log-in.ts";
import { recordFailedLogIn, recordLogIn } from "../log-in-audit.ts";
import type { LogInFormGuard } from "../log-in-form-guard.ts";
import { readPasskeyAnswer } from "../passkey-answer.ts";
import { secondStepPath } from "../paths.ts";
import { answerEnded, answerSecondStep } from "./second-step-page.ts";
import type { WaitingLogIn } from "./second-steps.ts";

type Sent = { readonly csrf: string; readonly ticket: string; readonly credential: string };

/** Completes a log-in with a passkey as the second step, or asks again. */
export async function completeByPasskey(
  context: EdgeContext,
  options: LogInDependencies & { readonly forms: LogInFormGuard },
  waiting: WaitingLogIn,
  { csrf: browser, ticket, credential }: Sent,
): Promise<Response> {
  const { service } = options;
  const { database, clock, appUrl } = service;
  const { account, passwordMark, method, returnTo } = waiting;
  const { address } = context.var;
  const userAgent = context.req.header("User-Agent");
  const assertion = readPasskeyAnswer(credential);
  const outcome =
    assertion === null
      ? ({ kind: "refused", reason: "invalid" } as const)
      : await completeWithPasskey(
          database,
          { assertion, browser, account, passwordMark, address, userAgent },
          {
            appUrl,
            clock,
            onSuccess: (tx, { session }) =>
              recordLogIn(tx, context, clock.now(), { account, session, method, factor: { method: "passkey" } }),
          },
        );
  if (outcome.kind === "ended") return answerEnded(context, returnTo);
  if (outcome.kind === "success") return completeLogIn(context, options, outcome.session, returnTo);
  recordFailedLogIn(service, context, account, { method, step: "second", passkey: outcome.reason });
  context.header("WWW-Authenticate", `Cookie form-action="${secondStepPath}"`);
  const problem = wordsOf(preferredLanguage(context)).passkey.wrong;
  return answerSecondStep(context, options, { ...waiting, ticket }, { problem, status: 401, isInvalid: false });
}
