export { type Capacity, type ClaimedDelivery, claimDeliveries } from "./claim.ts";
export { countDueDeliveries } from "./count-due-deliveries.ts";
export { findPendingWork, type PendingWork } from "./find-pending-work.ts";
export { type Message, messagesOf } from "./message.ts";
export {
  type Attempt,
  dropDelivery,
  isDelivered,
  isLastAttempt,
  type Outcome,
  settleDelivered,
  settleMissed,
} from "./settle.ts";
