import { Switch, wholeNumber } from "@kb/runtime";

/** The variables of the worker's own tasks. */
export const WorkerVariables = {
  TRASH_RETENTION_DAYS: wholeNumber(0, 36_500).default(30),
  WEBHOOK_ALLOW_PRIVATE_NETWORK: Switch.default(false),
};
