export { advanceCursors } from "./advance-cursors.ts";
export { changeChannel } from "./channel.ts";
export {
  type EventType,
  eventDefinitions,
  eventTypes,
  findDefinition,
  type ResourceChange,
} from "./event-types.ts";
export { ChangeFeed, type ChangeFollower, type FeedEvent } from "./feed.ts";
export type { ChangeReceiver, ChangeStream } from "./follow-changes.ts";
export { type ConsumerLag, readConsumerLags } from "./lag.ts";
export { findLateConsumers } from "./late-consumers.ts";
export { findVisibleEvents, type Visibility } from "./visible-events.ts";
