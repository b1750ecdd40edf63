import { type JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/server";
import {
  type AppendOptions,
  type Backplane,
  type CallRequest,
  type LoggedMessage,
  type LogOwner,
  limits,
} from "./backplane.ts";
import { ByteAllowance } from "./byte-allowance.ts";
import { changesStream } from "./event-id.ts";

type Log = {
  readonly owner: LogOwner;
  readonly messages: { readonly number: number; readonly text: string; readonly bytes: number }[];
  next: number;
  requests: readonly CallRequest[];
  idBytes: number;
  running: boolean;
  /** The number of times that a client has opened or resumed the stream. */
  generation: number;
  until: number;
};

/** Maximum number of logs of answered calls per session. The oldest is removed first. */
const maxAnsweredLogs = 50;

/** The logs of all sessions in the memory of this process, bounded in bytes; `now` is a clock in milliseconds. */
export class AnswerLogs {
  readonly #now: () => number;
  readonly #sessions = new Map<string, Map<string, Log>>();
  readonly #allowance = new ByteAllowance();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The bytes of all logs. */
  get bytes(): number {
    return this.#allowance.of(everyone);
  }

  begin(owner: LogOwner, stream: string, requests: readonly CallRequest[]): void {
    const idBytes = Buffer.byteLength(JSON.stringify(requests));
    if (idBytes > limits.idBytesPerCall || !this.#allowance.take(idBytes, holdersOf(owner))) return;
    this.#limitAnsweredLogs(owner.session);
    Object.assign(this.#open(owner, stream), { requests, idBytes, running: true });
  }

  end(session: string, stream: string): void {
    const log = this.#find(session, stream);
    if (log !== undefined) Object.assign(log, { running: false, until: this.#now() + limits.answeredLogMs });
  }

  find(session: string, stream: string): Awaited<ReturnType<Backplane["findCall"]>> {
    const log = this.#find(session, stream);
    if (log === undefined || log.until <= this.#now()) return null;
    return { requests: log.requests, running: log.running };
  }

  /** Returns the number of the message in its log; null where it is not kept. */
  append(owner: LogOwner, stream: string, message: JSONRPCMessage, options: AppendOptions = {}): number | null {
    const log = this.#findOrOpen(owner, stream);
    if (log === undefined) return null;
    const number = options.onlyIfTailed === true && log.generation === 0 ? null : this.#store(log, message);
    if (options.last === true) this.end(owner.session, stream);
    return number;
  }

  read(session: string, stream: string, after: number): readonly LoggedMessage[] {
    const messages = this.#find(session, stream)?.messages ?? [];
    return messages
      .filter(({ number }) => number > after)
      .map(({ number, text }) => ({ place: placeOf(number), message: parseJSONRPCMessage(JSON.parse(text)) }));
  }

  /** Counts a new tail of a stream and returns its generation number. */
  tail(owner: LogOwner, stream: string): number {
    const log = this.#findOrOpen(owner, stream);
    if (log === undefined) return 1;
    log.generation += 1;
    return log.generation;
  }

  drop(session: string): void {
    for (const stream of this.#sessions.get(session)?.keys() ?? []) this.#remove(session, stream);
  }

  /** Removes what has expired. */
  sweep(): void {
    for (const [session, logs] of this.#sessions) {
      for (const [stream, log] of logs) {
        if (log.until > this.#now()) continue;
        // The numbers of messages without a request go on for as long as the session lives.
        if (stream === changesStream) this.#empty(log);
        else this.#remove(session, stream);
      }
    }
  }

  #store(log: Log, message: JSONRPCMessage): number | null {
    const text = JSON.stringify(message);
    const bytes = Buffer.byteLength(text);
    log.until = this.#now() + limits.logMs;
    if (!this.#allowance.take(bytes, holdersOf(log.owner))) return null;
    const number = log.next;
    log.next += 1;
    log.messages.push({ number, text, bytes });
    if (log.messages.length > limits.messagesPerLog) this.#free(log, log.messages.shift()?.bytes ?? 0);
    return number;
  }

  #limitAnsweredLogs(session: string): void {
    const answered = [...(this.#sessions.get(session) ?? [])].filter(
      ([stream, { running }]) => !running && stream !== changesStream,
    );
    for (const [stream] of answered.slice(0, Math.max(0, answered.length - maxAnsweredLogs + 1))) {
      this.#remove(session, stream);
    }
  }

  #open(owner: LogOwner, stream: string): Log {
    const logs = this.#sessions.get(owner.session) ?? new Map<string, Log>();
    this.#sessions.set(owner.session, logs);
    const until = this.#now() + limits.logMs;
    const state = { requests: [], idBytes: 0, running: false, generation: 0 };
    const log = logs.get(stream) ?? { owner, messages: [], next: 1, until, ...state };
    logs.set(stream, log);
    return log;
  }

  /** Messages without a request need no call: their log opens with the first one, or with the first tail. */
  #findOrOpen(owner: LogOwner, stream: string): Log | undefined {
    return stream === changesStream ? this.#open(owner, stream) : this.#find(owner.session, stream);
  }

  #find = (session: string, stream: string): Log | undefined => this.#sessions.get(session)?.get(stream);

  #remove(session: string, stream: string): void {
    const logs = this.#sessions.get(session);
    const log = logs?.get(stream);
    if (logs === undefined || log === undefined) return;
    this.#empty(log);
    this.#free(log, log.idBytes);
    logs.delete(stream);
    if (logs.size === 0) this.#sessions.delete(session);
  }

  #empty(log: Log): void {
    for (const { bytes } of log.messages.splice(0)) this.#free(log, bytes);
  }

  #free = (log: Log, bytes: number): void => this.#allowance.free(bytes, holdersOf(log.owner));
}

/** Returns the position of a message, as a client sends it. */
export const placeOf = (number: number): string => `${number}-0`;

const everyone = "all";

const holdersOf = ({ session, principal }: LogOwner) => [
  { name: `session ${session}`, limit: limits.logBytesPerSession },
  { name: `principal ${principal}`, limit: limits.logBytesPerPrincipal },
  { name: everyone, limit: limits.logBytes },
];
