export { readStep } from "./check-step.ts";
export { difference } from "./difference.ts";
export { type Rebased, rebase } from "./rebase.ts";
export { ReplaceRangesStep } from "./replace-ranges-step.ts";
