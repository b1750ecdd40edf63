import type { Node } from "prosemirror-model";
import { schemaVersion } from "../schema-version.ts";
import {
  type LogPosition,
  type OpenedLog,
  type PushAnswer,
  type SentPush,
  TransportFailure,
  type WireBatch,
} from "../session/transport.ts";
import { LogServer } from "./log-server.ts";

/** Bounds a page of batches, so that a client has to ask for several. */
const pageSize = 3;

type Answered = { readonly seq: number; readonly steps: string; readonly answer: PushAnswer };

/** The service of live editing as a session knows it, in memory. */
export class FakeService {
  schema = schemaVersion;
  canWrite = true;
  isGone = false;
  /** Accepted batches, by client and number, with how often each was accepted. */
  readonly accepted = new Map<string, number>();
  readonly listeners = new Set<() => void>();
  readonly #answered = new Map<string, Answered>();
  #server: LogServer;
  #logs = 1;
  #oldest = 0;
  /** The saved document, which is opened, and its version. */
  #saved: { doc: Node; version: number };

  constructor(doc: Node) {
    this.#server = new LogServer(doc);
    this.#saved = { doc, version: 0 };
  }

  get doc(): Node {
    return this.#server.doc;
  }

  get lineage(): string {
    return `log ${this.#logs}`;
  }

  /** Saves the document: a client that opens it needs no batch before this. */
  checkpoint(): void {
    this.#saved = { doc: this.#server.doc, version: this.#server.version };
  }

  /** Deletes the batches that the saved document contains. */
  trim(): void {
    this.checkpoint();
    this.#oldest = this.#saved.version;
    for (const listener of this.listeners) listener();
  }

  /** Ends the log and begins another one with the same document, as after 48 hours without a batch. */
  startLog(): void {
    this.#server = new LogServer(this.#server.doc);
    this.#logs += 1;
    this.#oldest = 0;
    this.checkpoint();
    for (const listener of this.listeners) listener();
  }

  /** Appends steps of an assistant. */
  append(clientId: string, steps: string): void {
    this.#server.push({ clientId, sequence: 1, base: this.#server.version, steps });
    for (const listener of this.listeners) listener();
  }

  open(): OpenedLog {
    this.#requireThere();
    const { doc, version: savedVersion } = this.#saved;
    const { version } = this.#server;
    const batches = this.#page(savedVersion);
    const content: unknown = doc.toJSON();
    const { lineage, schema, canWrite } = this;
    return { lineage, version, savedVersion, schema, content, batches, canWrite };
  }

  push({ lineage, clientId, seq, base, schema, steps }: SentPush): PushAnswer {
    this.#requireThere();
    if (!this.canWrite) throw new TransportFailure("forbidden", "You may not write");
    const sent = JSON.stringify(steps);
    const known = this.#answered.get(clientId);
    if (known?.seq === seq && known.steps === sent) return known.answer;
    if (seq <= (known?.seq ?? 0)) throw new TransportFailure("superseded", "Another batch had this number");
    this.#requirePosition({ lineage, since: base });
    if (seq !== (known?.seq ?? 0) + 1) throw new TransportFailure("superseded", "Another number is next");
    if (schema < this.schema) throw new TransportFailure("outdated", "This page is outdated");
    const { orphans, isChanged } = this.#server.push({ clientId, sequence: seq, base, steps: sent });
    const { version } = this.#server;
    const answer = { version, accepted: isChanged ? ("changed" as const) : ("same" as const), orphans };
    this.#answered.set(clientId, { seq, steps: sent, answer });
    const key = `${clientId} ${seq}`;
    this.accepted.set(key, (this.accepted.get(key) ?? 0) + 1);
    for (const listener of this.listeners) listener();
    return answer;
  }

  batches(position: LogPosition): { version: number; batches: readonly WireBatch[] } {
    this.#requireThere();
    this.#requirePosition(position);
    return { version: this.#server.version, batches: this.#page(position.since) };
  }

  #page(since: number): readonly WireBatch[] {
    return this.#server.log.slice(since, since + pageSize).map(({ version, clientId, sequence, steps, origins }) => {
      const list: readonly unknown[] = JSON.parse(steps);
      return { version, clientId, seq: sequence, steps: list, origins };
    });
  }

  #requirePosition({ lineage, since }: LogPosition): void {
    if (lineage !== this.lineage || since > this.#server.version || since < this.#oldest) {
      throw new TransportFailure("reopen", "The log is another one");
    }
  }

  #requireThere(): void {
    if (this.isGone) throw new TransportFailure("gone", "Nothing here");
  }
}
