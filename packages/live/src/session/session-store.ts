import type { SentPush } from "./transport.ts";

/** A document at a version of its log, as JSON. */
export interface KeptSnapshot {
  readonly lineage: string;
  readonly version: number;
  readonly content: unknown;
}

/** A client, and the number of its last batch. */
export interface ClientNumber {
  readonly id: string;
  readonly seq: number;
}

/** What only this client has of a document: all that is not confirmed, as JSON. */
export interface KeptChanges {
  /** The steps of each batch of the log after the snapshot, in order. */
  readonly batches: readonly (readonly unknown[])[];
  readonly local: readonly { readonly step: unknown; readonly sentIndex: number | null }[];
  /** The batch that was on the way. */
  readonly sent: SentPush | null;
  /** The name of the client and the number of its last batch; absent in what an earlier release has kept. */
  readonly client?: ClientNumber;
  /** `identityOf` the document to which a snapshot leads with its batches and local steps; absent in what an earlier release has kept. */
  readonly expected?: string;
  /** The number of characters of all else as JSON; absent in what an earlier release has kept. */
  readonly characters?: number;
  /** Text without a place. */
  readonly orphans: readonly string[];
}

/** A session as a device has kept it. */
export interface KeptSession {
  readonly snapshot: KeptSnapshot;
  readonly changes: KeptChanges;
}

/** The place on the device for what one session has not sent. */
export interface SessionStore {
  /**
   * Replaces what was kept, in one piece, and the snapshot where one is passed. Returns false, and does nothing, where none is
   * passed and none is there.
   */
  readonly keep: (changes: KeptChanges, snapshot: KeptSnapshot | null) => Promise<boolean>;
  /**
   * Keeps the same before it returns, because the page may end now. The end of a page gives up what `keep` and `drop` have begun. It
   * counts until a call that begins later is done. Does nothing without room.
   */
  readonly keepAtOnce: (changes: KeptChanges, snapshot: KeptSnapshot | null) => void;
  /** Forgets the changes: the service has them. The snapshot may stay until the session ends. */
  readonly drop: () => Promise<void>;
}
