import { type ImportExplanation, ServiceError } from "@kb/core";
import type { Explained } from "../explain.ts";

/** An error that ends an import, with its explanation. */
export class JobError extends ServiceError {
  readonly explanation: ImportExplanation;

  constructor(code: "not_found" | "forbidden", { text, explanation }: Explained) {
    super(code, text);
    this.explanation = explanation;
  }
}
