export { readStep } from "./check-step.ts";
export { difference } from "./difference.ts";
export {
  type AcceptedSteps,
  acceptBatch,
  contentOf,
  type DocumentLimits,
  LogUnreadableError,
  type SentBatch,
  StepsRefusedError,
  type StoredLog,
  stepsBetween,
} from "./log.ts";
export { type Rebased, rebase } from "./rebase.ts";
export { ReplaceRangesStep } from "./replace-ranges-step.ts";
export { schemaVersion } from "./schema-version.ts";
