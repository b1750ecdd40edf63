import type { Service } from "@kb/core";
import type { EdgeContext } from "@kb/http";
import { recordFirstStep } from "../log-in-audit.ts";
import type { LogInFormGuard } from "../log-in-form-guard.ts";
import { answerSecondStep } from "./second-step-page.ts";
import type { SecondSteps, WaitingLogIn } from "./second-steps.ts";

type Dependencies = {
  readonly service: Service;
  readonly forms: LogInFormGuard;
  readonly secondSteps: SecondSteps;
};

/** Records the first step of a log-in, and answers with the form that asks for the second one. */
export function beginSecondStep(
  context: EdgeContext,
  { service, forms, secondSteps }: Dependencies,
  waiting: WaitingLogIn,
): Promise<Response> {
  recordFirstStep(service, context, waiting);
  return answerSecondStep(context, forms, { ticket: secondSteps.issue(waiting), returnTo: waiting.returnTo });
}
