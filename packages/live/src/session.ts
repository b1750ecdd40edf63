export { liveState } from "./plugin.ts";
export { MAX_RANGES, ReplaceRangesStep } from "./replace-ranges-step.ts";
export type { Clock } from "./session/clock.ts";
export type { EditorSession } from "./session/editor-session.ts";
export { loadOpenAgain } from "./session/load-open-again.ts";
export {
  type KeptEditorSession,
  type KeptSessionOptions,
  openKeptSession,
  openSession,
  type SessionOptions,
} from "./session/open-session.ts";
export { readKeptChanges } from "./session/read-kept.ts";
export type { SessionKeeper } from "./session/session-keeper.ts";
export type { KeptChanges, KeptSession, KeptSnapshot, SessionStore } from "./session/session-store.ts";
export { isSettled, type SessionEvent, type SessionStatus } from "./session/status.ts";
export { textsOfKept } from "./session/texts-of-kept.ts";
export {
  type FailureKind,
  type LogPosition,
  type OpenedLog,
  type PushAnswer,
  type SentPush,
  type StreamReceiver,
  type Transport,
  TransportFailure,
  type WireBatch,
} from "./session/transport.ts";
