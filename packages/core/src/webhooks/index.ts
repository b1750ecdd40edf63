export { audienceOf, type Told } from "./audience.ts";
export { type Capacity, type ClaimedDelivery, claimDeliveries } from "./claim.ts";
export { dispatchEvents } from "./dispatch.ts";
export { type Message, messagesOf } from "./message.ts";
export {
  type Attempt,
  dropDelivery,
  isDelivered,
  type Outcome,
  settleDelivered,
  settleMissed,
} from "./settle.ts";
