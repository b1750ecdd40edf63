/** A problem of a source that its user can fix; the message says how. */
export class SourceError extends Error {
  override readonly name = "SourceError";
  readonly code: "payload_too_large" | "usage";

  constructor(code: SourceError["code"], message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}
