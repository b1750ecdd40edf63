/** `refused`: not sent, because of where it would go. `timeout`, `too_large`: ended by us. `failed`: by the other side. */
export type OutgoingErrorCode = "refused" | "timeout" | "too_large" | "failed";

/** An outgoing request that came to nothing; its message may be shown to whoever chose the address. */
export class OutgoingError extends Error {
  override readonly name = "OutgoingError";
  readonly code: OutgoingErrorCode;

  constructor(code: OutgoingErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}
