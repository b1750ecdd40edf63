export { dropImportFile } from "./clean-up.ts";
export { receiveImport } from "./receive.ts";
export {
  type ClaimedImport,
  claimImport,
  findImporter,
  type ImportEnd,
  type ImportProgress,
  reportImport,
  settleImport,
} from "./work.ts";
