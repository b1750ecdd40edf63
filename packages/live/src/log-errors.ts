/** A log that cannot be replayed: its batches do not fit the saved content, or are not steps of this schema. */
export class LogUnreadableError extends Error {
  override readonly name = "LogUnreadableError";
}

/** A batch that is refused as a whole. */
export class StepsRefusedError extends Error {
  override readonly name = "StepsRefusedError";
  /** `full`: the document would exceed its limits; `invalid`: the steps are not steps of the schema, or do not apply. */
  readonly reason: "invalid" | "full";

  constructor(reason: "invalid" | "full", message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** A batch that changes more of the document than it was given time for. */
export class LargeChangeError extends Error {
  override readonly name = "LargeChangeError";
}
