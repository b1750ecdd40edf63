import { beginSetUpAtLogIn, completeSetUpAtLogIn } from "@kb/core";
import { type EdgeContext, preferredLanguage } from "@kb/http";
import { type LogInDependencies, startBrowserSession } from "../complete-log-in.ts";
import { recordLogIn } from "../log-in-audit.ts";
import type { LogInFormGuard } from "../log-in-form-guard.ts";
import { answerEnded } from "./second-step-page.ts";
import type { WaitingLogIn } from "./second-steps.ts";
import { answerRecoveryCodes, answerSetUp } from "./set-up-page.ts";
import { setUpWordsOf } from "./set-up-words.ts";

type Typed = { readonly ticket: string; readonly setUp: string; readonly code: string };

/** Completes a log-in by the set-up of the second factor that the team requires, and shows the recovery codes. */
export async function completeSetUp(
  context: EdgeContext,
  options: LogInDependencies & { readonly forms: LogInFormGuard },
  { account, passwordMark, method, returnTo }: WaitingLogIn,
  { ticket, setUp, code }: Typed,
): Promise<Response> {
  const { service, forms } = options;
  const { address, requestId } = context.var;
  const userAgent = context.req.header("User-Agent");
  const given = { account, passwordMark, ticket: setUp, code, address, userAgent, requestId };
  const outcome = await completeSetUpAtLogIn(service, given, (tx, session) =>
    recordLogIn(tx, context, service.clock.now(), { account, session, method }),
  );
  if (outcome.kind === "success") {
    await startBrowserSession(context, options, outcome.session);
    return answerRecoveryCodes(context, outcome.recoveryCodes, returnTo);
  }
  // The same app again, which its user has scanned already.
  const app = outcome.kind === "wrong" ? await beginSetUpAtLogIn(service, account, setUp) : null;
  if (app === null) return answerEnded(context, returnTo);
  const { wrong } = setUpWordsOf(preferredLanguage(context));
  return answerSetUp(context, forms, { ticket, returnTo, app }, wrong);
}
