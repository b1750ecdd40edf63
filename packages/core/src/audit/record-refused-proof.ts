import type { Preparation } from "../operation.ts";
import { queueAudit } from "./queue.ts";
import { auditSubject } from "./record-denial.ts";

/** Records in the audit log that a user who is logged in did not prove who they are, before anything changed. */
export function recordRefusedProof(
  { service, actor, call: { address, requestId } }: Preparation,
  action: string,
  details: Readonly<Record<string, string>>,
): void {
  queueAudit(service, {
    ...auditSubject(actor),
    at: service.clock.now(),
    action,
    outcome: "failed",
    target: { type: "user", id: actor.userId },
    address,
    requestId,
    details,
  });
}
