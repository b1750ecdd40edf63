export type { Clock } from "./session/clock.ts";
export type { EditorSession } from "./session/editor-session.ts";
export { openSession, type SessionOptions } from "./session/open-session.ts";
export type { SessionEvent, SessionStatus } from "./session/status.ts";
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
