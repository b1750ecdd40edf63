/** The reason why the app does not reach its service. */
export type Connection =
  | { readonly kind: "connected" }
  /** The service cannot be reached, or the browser has no network. */
  | { readonly kind: "offline" }
  /** Too many requests, or the service is busy: it answers again after this time, in milliseconds since 1970. */
  | { readonly kind: "busy"; readonly until: number; readonly isLimit: boolean }
  | { readonly kind: "loggedOut" };

const connected: Connection = { kind: "connected" };
let current: Connection = connected;
let lostTimer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** A stream that reconnects at once is no reason for alarm. */
const patienceMs = 4_000;

/** Changes what the app shows of its connection. */
export function setConnection(connection: Connection): void {
  // Somebody who was logged out sees that until they are logged in again, whatever else fails.
  if (current.kind === "loggedOut" && connection.kind !== "connected") return;
  current = connection;
  for (const listener of listeners) listener();
}

/** The state of the connection, for `useSyncExternalStore`. */
export const connectionStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: (): Connection => current,
};

/** Follows what the browser knows of its network: it sends no request without one, so that none fails. */
export function watchNetwork(): void {
  addEventListener("offline", () => setConnection({ kind: "offline" }));
  addEventListener("online", reportAnswer);
}

/** Records that an answer came. */
export function reportAnswer(): void {
  clearTimeout(lostTimer);
  if (current.kind === "offline" || current.kind === "busy") setConnection(connected);
}

/** Records that the stream of changes opened or was lost. */
export function reportStream(isConnected: boolean): void {
  clearTimeout(lostTimer);
  if (isConnected) {
    if (current.kind === "offline") setConnection(connected);
  } else {
    lostTimer = setTimeout(() => !document.hidden && setConnection({ kind: "offline" }), patienceMs);
  }
}

/** The wait where the service names none, in seconds. */
const defaultWaitSeconds = 5;

type FailedAnswer = { readonly status: number; readonly retryAfterSeconds?: number | undefined };

/** Records a failed call by its status; 0 stands for no answer. */
export function reportFailure({ status, retryAfterSeconds = defaultWaitSeconds }: FailedAnswer): void {
  if (status === 0) setConnection({ kind: "offline" });
  else if (status === 401) setConnection({ kind: "loggedOut" });
  else if (status === 429 || status === 503) {
    const until = Date.now() + 1_000 * retryAfterSeconds;
    setConnection({ kind: "busy", until, isLimit: status === 429 });
  } else reportAnswer();
}
