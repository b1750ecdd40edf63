import { webhook } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { ofPage } from "../testing/plan-bounds.ts";
import { listDeliveries, redeliver, testWebhook } from "./deliveries.ts";

export const listDeliveriesCase = caseOf(listDeliveries, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: webhook,
  statements: 4,
  plans: ({ callers: { person } }) => [
    { caller: person, input: { id: person.teamId }, reads: ofPage },
    { caller: person, input: { id: person.teamId, status: "failed" }, reads: ofPage },
  ],
});

export const redeliverCase = caseOf(redeliver, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: async (scene) => ({ id: (await scene.webhook()).deliveryId }),
  statements: 8,
});

export const testWebhookCase = caseOf(testWebhook, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: webhook,
  statements: 8,
});
