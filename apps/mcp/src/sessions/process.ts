import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/server";
import { type Backplane, type LoggedMessage, limits, type SessionRecord, type Signal } from "./backplane.ts";

type Log = {
  readonly messages: { number: number; message: JSONRPCMessage }[];
  next: number;
  requests: readonly RequestId[];
  running: boolean;
  until: number;
};

type Session = {
  readonly record: SessionRecord;
  until: number;
  readonly uris: Set<string>;
  readonly logs: Map<string, Log>;
  readonly tails: Map<string, number>;
};

/** Logs of answered calls that a session keeps; the oldest goes first. */
const logsEach = 50;

/** Sessions in the memory of this process; `now` is a clock in milliseconds. */
export class ProcessBackplane implements Backplane {
  readonly #now: () => number;
  // A Map keeps the order of insertion; a session is inserted anew whenever it is used.
  readonly #sessions = new Map<string, Session>();
  readonly #listeners = new Set<(signal: Signal) => void>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  async create(id: string, record: SessionRecord): Promise<void> {
    for (const [expired, { until }] of this.#sessions) if (until <= this.#now()) await this.drop(expired);
    const own = [...this.#sessions].filter(([, { record: other }]) => other.principal === record.principal);
    for (const [oldest] of own.slice(0, Math.max(0, own.length - limits.sessionsEach + 1))) await this.drop(oldest);
    const until = this.#now() + limits.sessionMs;
    this.#sessions.set(id, { record, until, uris: new Set(), logs: new Map(), tails: new Map() });
  }

  async load(id: string): Promise<SessionRecord | null> {
    const session = this.#find(id);
    if (session === undefined) return null;
    session.until = this.#now() + limits.sessionMs;
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session.record;
  }

  async drop(session: string): Promise<void> {
    if (this.#sessions.delete(session)) await this.publish({ kind: "closed", session });
  }

  async subscribe(id: string, uri: string): Promise<void> {
    const uris = this.#find(id)?.uris;
    if (uris !== undefined && uris.size < limits.subscriptionsEach) uris.add(uri);
  }

  async unsubscribe(id: string, uri: string): Promise<void> {
    this.#find(id)?.uris.delete(uri);
  }

  async subscriptions(id: string): Promise<ReadonlySet<string>> {
    return new Set(this.#find(id)?.uris);
  }

  async beginCall(id: string, stream: string, requests: readonly RequestId[]): Promise<void> {
    const session = this.#find(id);
    if (session === undefined) return;
    forgetOld(session.logs, this.#now());
    Object.assign(this.#logOf(session, stream), { requests, running: true });
  }

  /** A lease is for those who may die alone: this memory dies with whoever works on the call. */
  async renewCall(): Promise<void> {}

  async endCall(id: string, stream: string): Promise<void> {
    const log = this.#find(id)?.logs.get(stream);
    if (log !== undefined) Object.assign(log, { running: false, until: this.#now() + limits.answeredLogMs });
  }

  async callOf(id: string, stream: string): ReturnType<Backplane["callOf"]> {
    const log = this.#find(id)?.logs.get(stream);
    return log === undefined || log.until <= this.#now() ? null : { requests: log.requests, running: log.running };
  }

  async append(id: string, stream: string, message: JSONRPCMessage, last = false): Promise<string> {
    const session = this.#find(id);
    const log = session === undefined ? newLog(0) : this.#logOf(session, stream);
    const number = log.next;
    log.next += 1;
    log.until = this.#now() + limits.logMs;
    log.messages.push({ number, message });
    if (log.messages.length > limits.messagesEach) log.messages.shift();
    if (last) await this.endCall(id, stream);
    await this.publish({ kind: "appended", session: id, stream });
    return `${number}-0`;
  }

  async read(id: string, stream: string, after: string): Promise<readonly LoggedMessage[]> {
    const from = Number(after.split("-")[0]);
    const messages = this.#find(id)?.logs.get(stream)?.messages ?? [];
    return messages.flatMap(({ number, message }) => (number > from ? [{ place: `${number}-0`, message }] : []));
  }

  async tail(id: string, stream: string): Promise<number> {
    const tails = this.#find(id)?.tails;
    const generation = (tails?.get(stream) ?? 0) + 1;
    tails?.set(stream, generation);
    await this.publish({ kind: "tailed", session: id, stream, generation });
    return generation;
  }

  async publish(signal: Signal): Promise<void> {
    for (const listener of [...this.#listeners]) listener(signal);
  }

  listen(listener: (signal: Signal) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#sessions.clear();
  }

  #find(id: string): Session | undefined {
    const session = this.#sessions.get(id);
    return session !== undefined && session.until > this.#now() ? session : undefined;
  }

  #logOf({ logs }: Session, stream: string): Log {
    const log = logs.get(stream) ?? newLog(this.#now() + limits.logMs);
    logs.set(stream, log);
    return log;
  }
}

const newLog = (until: number): Log => ({ messages: [], next: 1, requests: [], running: false, until });

function forgetOld(logs: Map<string, Log>, at: number): void {
  const done = [...logs].filter(([, { running, requests }]) => !running && requests.length > 0);
  const surplus = Math.max(0, done.length - logsEach);
  for (const [index, [stream, { until }]] of done.entries()) if (index < surplus || until <= at) logs.delete(stream);
}
