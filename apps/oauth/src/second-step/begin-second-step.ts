import type { NeededStep } from "@kb/auth";
import { beginSetUpAtLogIn, type Service } from "@kb/core";
import type { EdgeContext } from "@kb/http";
import { recordFirstStep } from "../log-in-audit.ts";
import type { LogInFormGuard } from "../log-in-form-guard.ts";
import { answerEnded, answerSecondStep } from "./second-step-page.ts";
import type { SecondSteps, WaitingLogIn } from "./second-steps.ts";
import { answerSetUp } from "./set-up-page.ts";

type Dependencies = {
  readonly service: Service;
  readonly forms: LogInFormGuard;
  readonly secondSteps: SecondSteps;
};

/** Records the first step of a log-in, and answers with the form that asks for the second one, or that sets it up. */
export async function beginSecondStep(
  context: EdgeContext,
  dependencies: Dependencies,
  waiting: WaitingLogIn & Pick<NeededStep, "needs">,
): Promise<Response> {
  const { service, forms, secondSteps } = dependencies;
  recordFirstStep(service, context, waiting);
  const { returnTo, needs, account } = waiting;
  const ticket = secondSteps.issue(waiting);
  if (needs === "code") return answerSecondStep(context, dependencies, { ...waiting, ticket });
  const app = await beginSetUpAtLogIn(service, account);
  return app === null ? answerEnded(context, returnTo) : answerSetUp(context, forms, { ticket, returnTo, app });
}
