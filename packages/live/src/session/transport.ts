/** A batch of the log, as the service sends it. */
export interface WireBatch {
  readonly version: number;
  readonly clientId: string;
  readonly seq: number;
  /** The id of the user who sent it; null for the service itself, absent where it is not known. */
  readonly author?: string | null | undefined;
  readonly steps: readonly unknown[];
  /** For each step, the index of the sent step that it came from; absent where each sent step was accepted. */
  readonly origins?: readonly number[] | undefined;
}

/** An answer of `live.open`. */
export interface OpenedLog {
  readonly lineage: string;
  readonly version: number;
  readonly savedVersion: number;
  readonly schema: number;
  /** The document at `savedVersion`. */
  readonly content: unknown;
  /** The first batches after it. */
  readonly batches: readonly WireBatch[];
  readonly canWrite: boolean;
  /** The id under which this client's batches appear; absent in answers of an earlier release. */
  readonly author?: string | undefined;
}

/** A batch to send. A retry sends the same. */
export interface SentPush {
  readonly lineage: string;
  readonly clientId: string;
  readonly seq: number;
  readonly base: number;
  readonly schema: number;
  readonly steps: readonly unknown[];
}

/** An answer of `live.push`. */
export interface PushAnswer {
  readonly version: number;
  readonly accepted: "same" | "changed";
  readonly orphans: readonly string[];
}

/** The last version of a log that a client has. */
export interface LogPosition {
  readonly lineage: string;
  readonly since: number;
}

/** The receiver of the stream of a document. */
export interface StreamReceiver {
  /** Called when the stream opens and when it is lost; it opens again by itself. */
  readonly connected: (isConnected: boolean) => void;
  readonly batch: (batch: WireBatch) => void;
  readonly access: (canWrite: boolean) => void;
  /** `reopen`: the log does not reach back to the position; `gone`: the document is deleted, or hidden from the user. */
  readonly ended: (kind: "reopen" | "gone") => void;
}

/** The connection of one document to the service. Its promises are rejected with a `TransportFailure`. */
export interface Transport {
  readonly open: () => Promise<OpenedLog>;
  readonly push: (batch: SentPush) => Promise<PushAnswer>;
  /** Returns the next batches after a position, and the last version of the log. */
  readonly batches: (position: LogPosition) => Promise<{ version: number; batches: readonly WireBatch[] }>;
  /** Follows the log from a position on, which is asked for at each connection. Returns a function that ends it. */
  readonly stream: (position: () => LogPosition, receiver: StreamReceiver) => () => void;
}

/**
 * Why the service did not do what it was asked for. `unreachable`: try again; `reopen`: the log is another one, or does not
 * reach back so far; `forbidden`: the user may not write; `gone`: the document is hidden or deleted; `outdated`: the schema is
 * newer than this client; `refused`: the steps are not accepted; `superseded`: the next batch of the client has another number.
 */
export type FailureKind = "unreachable" | "reopen" | "forbidden" | "gone" | "outdated" | "refused" | "superseded";

/** A call that failed. */
export class TransportFailure extends Error {
  override readonly name = "TransportFailure";
  readonly kind: FailureKind;
  /** The time after which the service answers again, where it said so. */
  readonly retryAfterMs: number;

  constructor(kind: FailureKind, message: string, retryAfterMs = 0) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Returns why a call failed; an unknown error counts as a service that could not be reached. */
export function failureOf(error: unknown): TransportFailure {
  if (error instanceof TransportFailure) return error;
  return new TransportFailure("unreachable", error instanceof Error ? error.message : "The call failed");
}
