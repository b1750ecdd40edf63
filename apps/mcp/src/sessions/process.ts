import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { AnswerLogs, placeOf } from "./answer-logs.ts";
import {
  type AppendOptions,
  type Backplane,
  type CallRequest,
  type LoggedMessage,
  type LogOwner,
  limits,
  type SessionRecord,
  type Signal,
} from "./backplane.ts";

type Session = {
  readonly record: SessionRecord;
  until: number;
  readonly uris: Set<string>;
};

/** The interval at which expired sessions and logs are removed. */
const sweepMs = 30_000;

/** Sessions in the memory of this process; `now` is a clock in milliseconds. */
export class ProcessBackplane implements Backplane {
  readonly #now: () => number;
  readonly #logs: AnswerLogs;
  readonly #sweeping: NodeJS.Timeout;
  // A Map keeps the order of insertion. Each use inserts the session again, so the first is the least recently used.
  readonly #sessions = new Map<string, Session>();
  readonly #listeners = new Set<(signal: Signal) => void>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#logs = new AnswerLogs(now);
    this.#sweeping = setInterval(() => void this.sweep(), sweepMs).unref();
  }

  /** The bytes of all logs. */
  get logBytes(): number {
    return this.#logs.bytes;
  }

  async create(id: string, record: SessionRecord): Promise<void> {
    const own = [...this.#sessions].filter(([, { record: other }]) => other.principal === record.principal);
    const surplus = Math.max(0, own.length - limits.sessionsPerPrincipal + 1);
    for (const [oldest] of own.slice(0, surplus)) await this.drop(oldest);
    const until = this.#now() + limits.sessionMs;
    this.#sessions.set(id, { record, until, uris: new Set() });
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
    this.#logs.drop(session);
    if (this.#sessions.delete(session)) await this.publish({ kind: "closed", session });
  }

  async subscribe(id: string, uri: string): Promise<void> {
    const uris = this.#find(id)?.uris;
    if (uris !== undefined && uris.size < limits.subscriptionsPerSession) uris.add(uri);
  }

  async unsubscribe(id: string, uri: string): Promise<void> {
    this.#find(id)?.uris.delete(uri);
  }

  async subscriptions(id: string): Promise<ReadonlySet<string>> {
    return new Set(this.#find(id)?.uris);
  }

  async beginCall(owner: LogOwner, stream: string, requests: readonly CallRequest[]): Promise<void> {
    if (this.#find(owner.session) !== undefined) this.#logs.begin(owner, stream, requests);
  }

  /** Does nothing: the lease detects a dead instance, and here the state ends with the instance. */
  async renewCall(): Promise<void> {}

  async endCall(session: string, stream: string): Promise<void> {
    this.#logs.end(session, stream);
  }

  async findCall(id: string, stream: string): ReturnType<Backplane["findCall"]> {
    return this.#logs.find(id, stream);
  }

  async append(
    owner: LogOwner,
    stream: string,
    message: JSONRPCMessage,
    options?: AppendOptions,
  ): Promise<string | null> {
    const { session } = owner;
    const number = this.#find(session) === undefined ? null : this.#logs.append(owner, stream, message, options);
    await this.publish({ kind: "appended", session, stream });
    return number === null ? null : placeOf(number);
  }

  async read(id: string, stream: string, after: string): Promise<readonly LoggedMessage[]> {
    return this.#logs.read(id, stream, Number(after.split("-")[0]));
  }

  async tail(id: string, stream: string): Promise<number> {
    const principal = this.#find(id)?.record.principal;
    const generation = principal === undefined ? 1 : this.#logs.tail({ session: id, principal }, stream);
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

  /** Removes expired sessions and logs. */
  async sweep(): Promise<void> {
    for (const [expired, { until }] of this.#sessions) if (until <= this.#now()) await this.drop(expired);
    this.#logs.sweep();
  }

  close(): void {
    clearInterval(this.#sweeping);
    this.#sessions.clear();
  }

  #find(id: string): Session | undefined {
    const session = this.#sessions.get(id);
    return session !== undefined && session.until > this.#now() ? session : undefined;
  }
}
