import { webhook } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { createWebhook, deleteWebhook, rotateWebhookSecret, updateWebhook } from "./manage.ts";

export const createWebhookCase = caseOf(createWebhook, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF",
  input: () => ({ url: "https://hooks.example.com/matrix", events: ["document.*"] }),
  statements: 8,
});

export const deleteWebhookCase = caseOf(deleteWebhook, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: webhook,
  statements: 8,
});

export const rotateWebhookSecretCase = caseOf(rotateWebhookSecret, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: webhook,
  statements: 8,
});

export const updateWebhookCase = caseOf(updateWebhook, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: async (scene) => ({ ...(await webhook(scene)), enabled: false }),
  statements: 8,
});
