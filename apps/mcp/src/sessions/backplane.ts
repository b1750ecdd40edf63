import type { JSONRPCMessage, JSONRPCNotification, JSONRPCResponse, RequestId } from "@modelcontextprotocol/server";

/** The stored part of a session. Any instance can rebuild the session's server from it for each request. */
export type SessionRecord = {
  /** The key or grant that started the session. Only it may continue the session, apart from `app`. */
  readonly principal: string;
  /** The user's app that holds the grant. Its other grants may continue the session while this grant is active. */
  readonly app?: string | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The client's original `initialize` message. */
  readonly initialize: JSONRPCMessage;
};

/** A message in a stream's log, with the position from which a client can resume after it. */
export type LoggedMessage = { readonly place: string; readonly message: JSONRPCMessage };

/** The position before the first message of a log. */
export const start = "0-0";

/** A request of a call. The answer to a read is not kept, because the client can send the request again. */
export type CallRequest = { readonly id: RequestId; readonly isRead: boolean };

/** A session, with the principal that shares one allowance of bytes among its sessions. */
export type LogOwner = { readonly session: string; readonly principal: string };

/** How to append a message to a log. */
export type AppendOptions = {
  /** Ends the call, as `endCall` does. */
  readonly last?: boolean;
  /** Keeps the message only if a client has resumed the stream and waits for it. */
  readonly onlyIfTailed?: boolean;
};

/** A message that an instance broadcasts to all instances, including itself. */
export type Signal =
  | { readonly kind: "closed"; readonly session: string }
  | { readonly kind: "message"; readonly session: string; readonly message: JSONRPCNotification | JSONRPCResponse }
  | { readonly kind: "appended"; readonly session: string; readonly stream: string }
  | { readonly kind: "tailed"; readonly session: string; readonly stream: string; readonly generation: number }
  /** The connection was lost, so signals may have been missed. */
  | { readonly kind: "missed" };

/**
 * The session state that all instances share, in Redis or in the memory of the only process.
 * Every method throws `ServiceError` `unavailable` while that storage cannot be reached.
 */
export type Backplane = {
  /** Creates a session. Above the limit per principal, ends the least recently used session. */
  create(session: string, record: SessionRecord): Promise<void>;
  /** Returns the session and renews its lifetime of one hour; null if it is unknown. */
  load(session: string): Promise<SessionRecord | null>;
  /** Ends a session and notifies every instance. */
  drop(session: string): Promise<void>;

  subscribe(session: string, uri: string): Promise<void>;
  unsubscribe(session: string, uri: string): Promise<void>;
  subscriptions(session: string): Promise<ReadonlySet<string>>;

  /**
   * Opens the log of a call's responses and takes its lease, which marks the call as running until `endCall`. Keeps nothing
   * of a call whose ids take more than `limits.idBytesPerCall`.
   */
  beginCall(owner: LogOwner, stream: string, requests: readonly CallRequest[]): Promise<void>;
  renewCall(session: string, stream: string): Promise<void>;
  endCall(session: string, stream: string): Promise<void>;
  /** Returns the requests of a call, and whether its instance is still alive; null once the log has expired. */
  findCall(session: string, stream: string): Promise<{ requests: readonly CallRequest[]; running: boolean } | null>;

  /** Appends a message, wakes the log's tails and returns its position; null where the message is not kept. */
  append(owner: LogOwner, stream: string, message: JSONRPCMessage, options?: AppendOptions): Promise<string | null>;
  /** Returns the messages after a position, in order. */
  read(session: string, stream: string, after: string): Promise<readonly LoggedMessage[]>;
  /** Announces a new tail of a stream, which ends older ones. Returns its generation number. */
  tail(session: string, stream: string): Promise<number>;

  publish(signal: Signal): Promise<void>;
  /** Subscribes to every signal. Returns a function that unsubscribes. */
  listen(listener: (signal: Signal) => void): () => void;
  close(): void;
};

/** Lifetimes in milliseconds, maximum counts, and sizes in bytes. */
export const limits = {
  sessionMs: 60 * 60_000,
  sessionsPerPrincipal: 50,
  logMs: 10 * 60_000,
  /** The lifetime of an answered call's log, for a client that did not receive the response. */
  answeredLogMs: 2 * 60_000,
  leaseMs: 3_000,
  messagesPerLog: 500,
  /** Bytes of logged messages: of one session, of all sessions of a key or grant, and of all sessions together. */
  logBytesPerSession: 1024 * 1024,
  logBytesPerPrincipal: 4 * 1024 * 1024,
  logBytes: 64 * 1024 * 1024,
  /** Bytes of the request ids of one call. A call with more cannot be resumed. */
  idBytesPerCall: 8 * 1024,
  subscriptionsPerSession: 1_000,
  /** Bytes of the request that starts a session, which is kept as long as the session. */
  initializeBytes: 64 * 1024,
} as const;
