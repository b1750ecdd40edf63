import type { Actor, RightsInDocument } from "@kb/auth";
import { timestamp } from "../schema/text.ts";
import type { BatchReader, SharedBatch } from "./batch-reader.ts";
import type { PersonHere } from "./people-here.ts";
import type { DocumentKey } from "./unsaved-document.ts";

/** The head of a document's log as the feed reads it; the fields of the log are null without one. */
export type LiveHead = {
  readonly documentId: string;
  readonly revision: number;
  readonly updatedAt: Date;
  readonly lineage: string | null;
  readonly version: number;
  readonly savedVersion: number;
  readonly oldestVersion: number;
  /** The sequence number of the team's last change: access changes only with one. */
  readonly sequence: number;
};

/** The receiver of the stream of a document that is edited live. */
export type LiveReceiver = {
  /** The same object for every follower of the document. */
  readonly batch: (batch: SharedBatch) => void;
  /** All batches up to the version are in the saved document. */
  readonly saved: (state: { readonly version: number; readonly revision: number; readonly updatedAt: string }) => void;
  readonly access: (access: { readonly canWrite: boolean }) => void;
  /** Somebody is there, moved, or has left. */
  readonly presence: (person: PersonHere | { readonly tabId: string; readonly leave: true }) => void;
  /** The log ended or does not reach back to the follower's version: the document has to be opened again. The stream is over. */
  readonly reset: () => void;
  /** The document is gone, or hidden from the user by now. The stream is over. */
  readonly gone: () => void;
};

/** The start of a follower. */
export type LivePosition = { readonly lineage: string; readonly version: number };

/** Follows the log of one document for one user, each batch once and in order. */
export class LiveFollower {
  readonly key: DocumentKey & { readonly userId: string };
  readonly #receiver: LiveReceiver;
  readonly #lineage: string;
  #version: number;
  #savedVersion = -1;
  #sequence = -1;
  #canWrite: boolean | undefined;
  #people: ReadonlyMap<string, PersonHere> = new Map();
  #isOver = false;

  constructor(actor: Actor, documentId: string, position: LivePosition, receiver: LiveReceiver) {
    this.key = { teamId: actor.teamId, userId: actor.userId, documentId };
    this.#receiver = receiver;
    this.#lineage = position.lineage;
    this.#version = position.version;
  }

  /** The last version that was sent. */
  get version(): number {
    return this.#version;
  }

  /** Whether access has to be checked at a head of the log: the policy decides anew after each change in the team. */
  isUnchecked(head: LiveHead | undefined): boolean {
    return !this.#isOver && head !== undefined && head.sequence !== this.#sequence;
  }

  /**
   * Sends what is new at a head of the log; without one, the document does not exist any more. `rights` are those that were read
   * after the head, null for none; undefined where they were checked before.
   */
  async receive(batches: BatchReader, head: LiveHead | undefined, rights?: RightsInDocument | null): Promise<void> {
    if (this.#isOver) return;
    if (head === undefined || rights === null) return this.#end("gone");
    if (rights !== undefined) this.#sendAccess(rights);
    this.#sequence = head.sequence;
    const { version, oldestVersion } = head;
    if (head.lineage !== this.#lineage || this.#version > version || this.#version < oldestVersion) {
      return this.#end("reset");
    }
    if (this.#version < version) await this.#sendBatches(batches);
    this.#sendSaved(head);
  }

  /** Tells who came, moved or left since the last call, once the user's access was checked. */
  showPeople(people: ReadonlyMap<string, PersonHere>): void {
    if (this.#isOver || this.#canWrite === undefined) return;
    const before = this.#people;
    this.#people = people;
    for (const [tabId, person] of people) if (before.get(tabId) !== person) this.#receiver.presence(person);
    for (const tabId of before.keys()) if (!people.has(tabId)) this.#receiver.presence({ tabId, leave: true });
  }

  #sendAccess({ canWrite }: RightsInDocument): void {
    if (canWrite !== this.#canWrite) this.#receiver.access({ canWrite });
    this.#canWrite = canWrite;
  }

  async #sendBatches(batches: BatchReader): Promise<void> {
    for (const batch of await batches.after(this.key, this.#version)) {
      // A log that was trimmed in between ends the stream at the next read.
      if (this.#isOver || batch.version !== this.#version + 1) return;
      this.#version = batch.version;
      this.#receiver.batch(batch);
    }
  }

  #sendSaved({ savedVersion, revision, updatedAt }: LiveHead): void {
    if (savedVersion === this.#savedVersion || savedVersion > this.#version) return;
    this.#savedVersion = savedVersion;
    this.#receiver.saved({ version: savedVersion, revision, updatedAt: timestamp(updatedAt) });
  }

  #end(how: "gone" | "reset"): void {
    this.#isOver = true;
    this.#receiver[how]();
  }
}
