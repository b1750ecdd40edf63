import { ServiceError } from "@kb/core";

/** Whoever presses no button has decided nothing. @throws {ServiceError} `validation_error` */
export function decisionIsAllowOrDeny(decision: string): "allow" | "deny" {
  if (decision === "allow" || decision === "deny") return decision;
  throw new ServiceError("validation_error", "Press one of the two buttons: allow or deny. Nothing was allowed.");
}
