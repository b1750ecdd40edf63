export { dropImportFile } from "./clean-up.ts";
export type {
  ImportExplanation,
  ImportExplanationCode,
  ImportExplanations,
  UnreadableCause,
} from "./explanation.ts";
export { receiveImport } from "./receive.ts";
export {
  type ClaimedImport,
  claimImport,
  doOthersWait,
  findHeldAttempts,
  findImporter,
  type ImportEnd,
  type ImportProgress,
  isFileUseless,
  reportImport,
  settleImport,
} from "./work.ts";
