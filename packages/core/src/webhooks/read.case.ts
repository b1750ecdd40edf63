import { webhook } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { ofPage } from "../testing/plan-bounds.ts";
import { getWebhook, listWebhooks, listWebhooksInApp } from "./read.ts";

export const getWebhookCase = caseOf(getWebhook, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: webhook,
  statements: 3,
  plans: ({ callers: { person } }) => [{ caller: person, input: { id: person.teamId }, reads: ofPage }],
});

export const listWebhooksCase = caseOf(listWebhooks, {
  access: "AKKKKKKK +S++ +++++++ KK ++++++ ++ KK",
  input: () => ({}),
  statements: 4,
  plans: ({ callers: { person } }) => [{ caller: person, input: {}, reads: ofPage }],
});

export const listWebhooksInAppCase = caseOf(listWebhooksInApp, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF",
  input: () => ({}),
  statements: 4,
  plans: ({ callers: { person } }) => [{ caller: person, input: {}, reads: ofPage }],
});
