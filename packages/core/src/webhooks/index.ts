export { audienceOf, type Told } from "./audience.ts";
export { type Backlog, webhookBacklog } from "./backlog.ts";
export { type Capacity, type ClaimedDelivery, claimDeliveries } from "./claim.ts";
export { dispatchEvents } from "./dispatch.ts";
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
