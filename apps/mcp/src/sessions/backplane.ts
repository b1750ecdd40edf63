import type { JSONRPCMessage, JSONRPCNotification, JSONRPCResponse, RequestId } from "@modelcontextprotocol/server";

/** What is remembered of a session: enough to build its server again on any instance, for each request. */
export type SessionRecord = {
  /** The key or grant that began it; nobody else may go on with it. */
  readonly principal: string;
  /** The user's app that holds the grant: with another grant of its own it goes on while this one lives. */
  readonly app?: string | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The client's `initialize`, as it came. */
  readonly initialize: JSONRPCMessage;
};

/** A message in a stream's log, by the place at which a client may go on after it. */
export type LoggedMessage = { readonly place: string; readonly message: JSONRPCMessage };

/** The place before the first message of a log. */
export const start = "0-0";

/** What instances tell each other; each hears its own too. */
export type Signal =
  | { readonly kind: "closed"; readonly session: string }
  | { readonly kind: "message"; readonly session: string; readonly message: JSONRPCNotification | JSONRPCResponse }
  | { readonly kind: "appended"; readonly session: string; readonly stream: string }
  | { readonly kind: "tailed"; readonly session: string; readonly stream: string; readonly generation: number }
  /** The connection was away: anything may have been missed. */
  | { readonly kind: "missed" };

/**
 * What the instances share of sessions: in Redis, or in the memory of the only process.
 * Every method throws `ServiceError` `unavailable` where that memory is away.
 */
export type Backplane = {
  /** Begins a session; above the limit of a principal its least recently used one ends. */
  create(session: string, record: SessionRecord): Promise<void>;
  /** The session, which lives an hour from now on; null for an unknown one. */
  load(session: string): Promise<SessionRecord | null>;
  /** Ends a session, and tells every instance. */
  drop(session: string): Promise<void>;

  subscribe(session: string, uri: string): Promise<void>;
  unsubscribe(session: string, uri: string): Promise<void>;
  subscriptions(session: string): Promise<ReadonlySet<string>>;

  /** Opens the log of a call's answers; until `endCall` the lease says that somebody works on it. */
  beginCall(session: string, stream: string, requests: readonly RequestId[]): Promise<void>;
  renewCall(session: string, stream: string): Promise<void>;
  endCall(session: string, stream: string): Promise<void>;
  /** What a call was asked, and whether its instance still lives; null for one that is not kept. */
  callOf(session: string, stream: string): Promise<{ requests: readonly RequestId[]; running: boolean } | null>;

  /** Adds a message to a log and wakes who tails it; gives its place. With the `last` answer of a call it ends as by `endCall`. */
  append(session: string, stream: string, message: JSONRPCMessage, last?: boolean): Promise<string>;
  /** The messages after a place, in order. */
  read(session: string, stream: string, after: string): Promise<readonly LoggedMessage[]>;
  /** Announces a new tail of a stream, and gives its number: an older one ends. */
  tail(session: string, stream: string): Promise<number>;

  publish(signal: Signal): Promise<void>;
  /** Hears every signal until the function that it gives is called. */
  listen(listener: (signal: Signal) => void): () => void;
  close(): void;
};

/** How long things are kept, in milliseconds, and how many. */
export const limits = {
  sessionMs: 60 * 60_000,
  sessionsEach: 50,
  logMs: 10 * 60_000,
  /** Once a call is answered, for a client that did not get the answer. */
  answeredLogMs: 2 * 60_000,
  leaseMs: 3_000,
  messagesEach: 500,
  subscriptionsEach: 1_000,
} as const;
