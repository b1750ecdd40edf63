import type { ImportExplanation } from "@kb/core";
import type { Explained } from "./explain.ts";

/** A problem of a source that its user can fix; the message says how. */
export class SourceError extends Error {
  override readonly name = "SourceError";
  readonly code: "payload_too_large" | "usage";
  readonly explanation: ImportExplanation;

  constructor(code: SourceError["code"], { text, explanation }: Explained, options: ErrorOptions = {}) {
    super(text, options);
    this.code = code;
    this.explanation = explanation;
  }
}
