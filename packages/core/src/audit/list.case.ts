import { caseOf, type PlanCase, type PlanQuestion } from "../testing/operation-case.ts";
import { ofPage } from "../testing/plan-bounds.ts";
import { listAudit, listAuditLog } from "./list.ts";

export const listAuditCase = caseOf(listAudit, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF",
  input: () => ({}),
  statements: 4,
  plans: auditPlans,
});

export const listAuditLogCase = caseOf(listAuditLog, {
  access: "AKKKKKKK SSS+ SSSSSSS KK +FFFF+ SS KK",
  input: () => ({}),
  statements: 4,
  plans: auditPlans,
});

function auditPlans({ callers: { person } }: PlanQuestion): PlanCase[] {
  const { userId } = person;
  const inputs = [{}, { userId }, { action: "documents.update" }, { targetId: userId }, { outcome: "success" }];
  return inputs.map((input) => ({ caller: person, input, reads: ofPage }));
}
