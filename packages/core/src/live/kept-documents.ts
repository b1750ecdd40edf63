import { LargeChangeError, type LiveDocument } from "@kb/live";
import { maxOnEventLoop } from "../threads/max-on-event-loop.ts";
import type { LogHead } from "./log-head.ts";
import type { DocumentKey } from "./unsaved-document.ts";

/** Bytes of all kept documents together, estimated from their JSON. */
const maxBytes = 64 * 1024 * 1024;
/** A document that nobody has written in for this long is forgotten. */
const maxIdleMs = 5 * 60 * 1000;

/** Characters of the JSON of a step that inserts a letter, at least. */
const envelope = 150;

/** A document of this process at a version of its log. */
export type KeptDocument = {
  readonly lineage: string;
  readonly version: number;
  /** The version that was saved when it was kept. */
  readonly savedVersion: number;
  /** The batch of that version, as `nameOfBatch` names it; null for version 0, which no batch has made. */
  readonly lastBatch: string | null;
  /** Null for one that is too large to be read on the event loop. */
  readonly document: LiveDocument | null;
  /** The characters of its JSON, as far as `charactersAfter` knows them. */
  readonly characters: number;
};

/** A batch of the log that is newer than what a process has kept, or names its version. */
export type NewerBatch = {
  readonly version: number;
  readonly clientId: string;
  readonly seq: number;
  readonly at: Date;
  /** As JSON text; null where the batches up to it are too large for the event loop. */
  readonly steps: string | null;
};

/** Names a batch: another one of the same version, such as after a restored backup, has another name. */
export const nameOfBatch = ({ clientId, seq, at }: Pick<NewerBatch, "clientId" | "seq" | "at">): string =>
  `${clientId.toLowerCase()} ${seq} ${at.getTime()}`;

/** A document as it is at the head of its log, its characters as of a kept one, and the steps of each batch since a base. */
export type CaughtUp = {
  readonly document: LiveDocument;
  readonly characters: number;
  readonly since: readonly string[];
};

type Entry = KeptDocument & { readonly bytes: number; usedAt: number };

/**
 * The documents that this process has as nodes. An entry is a version of a log, and never more: each use compares it with the locked
 * log, whatever other instances have written. Nothing depends on it.
 */
export class KeptDocuments {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor({ now = () => performance.now(), most = maxBytes }: { now?: () => number; most?: number } = {}) {
    this.#now = now;
    this.#maxBytes = most;
  }

  /** Returns the document as it was kept last. */
  find(key: DocumentKey): KeptDocument | undefined {
    const entry = this.#entries.get(nameOf(key));
    if (entry === undefined) return undefined;
    entry.usedAt = this.#now();
    this.#entries.delete(nameOf(key));
    this.#entries.set(nameOf(key), entry);
    return entry;
  }

  /** Keeps a document whose version is committed, and forgets those that were not used for longest. */
  keep(key: DocumentKey, kept: KeptDocument): void {
    this.forget(key);
    const bytes = kept.document === null ? 0 : 2 * kept.characters;
    if (bytes > this.#maxBytes) return;
    this.#entries.set(nameOf(key), { ...kept, bytes, usedAt: this.#now() });
    this.#bytes += bytes;
    for (const [name, { usedAt }] of this.#entries) {
      if (this.#bytes <= this.#maxBytes && usedAt >= this.#now() - maxIdleMs) return;
      this.#drop(name);
    }
  }

  forget(key: DocumentKey): void {
    this.#drop(nameOf(key));
  }

  #drop(name: string): void {
    this.#bytes -= this.#entries.get(name)?.bytes ?? 0;
    this.#entries.delete(name);
  }
}

const nameOf = ({ teamId, documentId }: DocumentKey): string => `${teamId} ${documentId}`;

/**
 * Returns a kept document at the head of its log, which is locked, and what came since `base`; undefined where the kept one is not of
 * this log, or too much came since or was marked. `newer` are the batches from `oldestNeeded` on.
 */
export function catchUp(
  kept: KeptDocument | undefined,
  head: LogHead,
  newer: readonly NewerBatch[],
  base: number,
): CaughtUp | undefined {
  if (kept?.document == null || kept.lineage !== head.lineage || kept.version > head.version) return undefined;
  const from = oldestNeeded(kept, base);
  if (newer.length !== head.version - Math.max(from, 1) + 1) return undefined;
  const steps = new Map(newer.map((batch) => [batch.version, batch]));
  if (kept.version > 0) {
    const last = steps.get(kept.version);
    if (last === undefined || nameOfBatch(last) !== kept.lastBatch) return undefined;
  }
  const after = (version: number): string[] | undefined => {
    const wanted = newer.filter((batch) => batch.version > version).map((batch) => batch.steps);
    return wanted.every((one) => one !== null) ? wanted : undefined;
  };
  const missing = after(kept.version);
  const since = after(base);
  if (missing === undefined || since === undefined) return undefined;
  const document = afterOnLoop(kept.document, missing);
  if (document === null) return undefined;
  return { document, characters: charactersAfter(kept.characters, kept.document, document, missing), since };
}

/**
 * Estimates the characters of the JSON of a document after batches: it grows by its text, or by what their steps hold beside their
 * envelopes, such as the source of a raw block, whichever is more; and a deletion makes it smaller.
 */
export function charactersAfter(
  characters: number,
  before: Pick<LiveDocument, "length">,
  after: Pick<LiveDocument, "length">,
  batches: readonly string[],
): number {
  const held = batches.reduce(
    (sum, batch) => sum + batch.length - envelope * (batch.split('"stepType":').length - 1),
    0,
  );
  return Math.max(characters + Math.max(after.length - before.length, held), after.length);
}

/** Returns a document after batches of its log; null where they mark more than the event loop has time for. */
export function afterOnLoop(document: LiveDocument, batches: readonly string[]): LiveDocument | null {
  try {
    return document.after(batches, maxOnEventLoop);
  } catch (error) {
    if (error instanceof LargeChangeError) return null;
    throw error;
  }
}

/** Whether a document was too large for the event loop, and its log was saved or replaced since: it may be readable now. */
export const isLargeNoMore = (kept: KeptDocument | undefined, { lineage, savedVersion }: LogHead): boolean =>
  kept?.document === null && (kept.lineage !== lineage || kept.savedVersion !== savedVersion);

/** Returns the oldest version whose batch `catchUp` needs: the one that names a kept document, and those since the base. */
export const oldestNeeded = ({ version }: Pick<KeptDocument, "version">, base: number): number =>
  Math.min(version, base + 1);
