/** `refused`: not sent, because of its target. `timeout`, `too_large`: ended by this side. `failed`: by the other. */
export type OutgoingErrorCode = "refused" | "timeout" | "too_large" | "failed";

/** The failure of an outgoing request. Its message may be shown to the person who chose the address. */
export class OutgoingError extends Error {
  override readonly name = "OutgoingError";
  readonly code: OutgoingErrorCode;

  constructor(code: OutgoingErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}
