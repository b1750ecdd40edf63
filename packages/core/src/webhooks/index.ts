export { audienceOf, type Told } from "./audience.ts";
export { type Capacity, type ClaimedDelivery, claimDeliveries } from "./claim.ts";
export { dispatchEvents } from "./dispatch.ts";
export { type Message, messageOf } from "./message.ts";
export { dropDelivery, type Outcome, settleDelivery } from "./settle.ts";
