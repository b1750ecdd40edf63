export {
  type GuardOptions,
  guardedFetch,
  type Outgoing,
  type OutgoingAnswer,
  type OutgoingRequest,
} from "./guarded-fetch.ts";
export { OutgoingError, type OutgoingErrorCode } from "./outgoing-error.ts";
