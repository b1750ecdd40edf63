export { readStep } from "./check-step.ts";
export { difference } from "./difference.ts";
export type { DocumentLimits } from "./document-size.ts";
export { type AcceptedBatch, type AcceptedSteps, LiveDocument, type SentBatch } from "./live-document.ts";
export { acceptBatch, contentOf, type StoredLog, stepsBetween } from "./log.ts";
export { LargeChangeError, LogUnreadableError, StepsRefusedError } from "./log-errors.ts";
export { type Rebased, rebase } from "./rebase.ts";
export { ReplaceRangesStep } from "./replace-ranges-step.ts";
export { schemaVersion } from "./schema-version.ts";
