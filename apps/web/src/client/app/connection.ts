/** The reason why the app does not reach its service. */
export type Connection =
  | { readonly kind: "connected" }
  /** The service cannot be reached, or the browser has no network. */
  | { readonly kind: "offline" }
  /** Too many requests, or the service is busy: it answers again after this time, in milliseconds since 1970. */
  | { readonly kind: "busy"; readonly since: number; readonly until: number; readonly isLimit: boolean }
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
  addEventListener("online", () => reportAnswer(Date.now()));
}

/** Records that an answer came to a request that was sent at this time, in milliseconds since 1970. */
export function reportAnswer(sentAt: number): void {
  clearTimeout(lostTimer);
  // An answer to a request from before the limit or the outage says nothing about it.
  const isNews = current.kind === "busy" && sentAt > current.since;
  if (current.kind === "offline" || isNews) setConnection(connected);
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

/** Records a failed call by its status, and the time when it was sent; 0 stands for no answer. */
export function reportFailure({ status, retryAfterSeconds }: FailedAnswer, sentAt: number): void {
  const isOutage = status === 503 || (status >= 500 && retryAfterSeconds !== undefined);
  if (status === 0) setConnection({ kind: "offline" });
  else if (status === 401) setConnection({ kind: "loggedOut" });
  else if (status === 429 || isOutage) {
    const since = Date.now();
    const until = since + 1_000 * (retryAfterSeconds ?? defaultWaitSeconds);
    setConnection({ kind: "busy", since, until, isLimit: status === 429 });
  } else reportAnswer(sentAt);
}

/** Calls a function once the service may be asked: at once, or after the wait of a limit or an outage. */
export function whenAnswering(ask: () => void): void {
  if (current.kind !== "busy") {
    ask();
    return;
  }
  const end = onReturn(() => {
    end();
    ask();
  });
}

/** Calls a function whenever the service can be asked again after a limit, an outage or without a network. Returns its end. */
export function onReturn(resume: () => void): () => void {
  let before = current.kind;
  return connectionStore.subscribe(() => {
    const hasReturned = before !== "connected" && current.kind === "connected";
    before = current.kind;
    if (hasReturned) resume();
  });
}
