import {
  type AcceptedSteps,
  acceptBatch,
  contentOf,
  type SentBatch,
  StepsRefusedError,
  type StoredLog,
  stepsBetween,
} from "@kb/live";
import { normalize } from "markdown-codec";
import { type Body, bodyOf, type Labels, limits, withServiceErrors } from "../documents/body.ts";
import { ServiceError } from "../errors.ts";
import { maxMarkdownLength } from "../schema/text.ts";

const documentLimits = { nodes: limits.nodes, characters: maxMarkdownLength };

/** A body that is derived from the log, and the steps that bring the document into normal form; null where it has it already. */
export type DerivedBody = { readonly body: Body; readonly normalSteps: string | null };

/** Returns the form in which a batch is accepted. @throws {ServiceError} `steps_refused`, `payload_too_large` for a full document */
export function acceptSteps(input: { readonly log: StoredLog; readonly sent: SentBatch }): AcceptedSteps {
  try {
    return acceptBatch(input.log, input.sent, documentLimits);
  } catch (error) {
    if (!(error instanceof StepsRefusedError)) throw error;
    const details = [{ path: "steps", message: error.message }];
    throw error.reason === "full"
      ? new ServiceError("payload_too_large", `The document is full. ${error.message}.`, { details })
      : new ServiceError("steps_refused", `The steps do not apply: ${error.message}. Open the document again.`, {
          details,
        });
  }
}

/** Derives the body of a document after all batches of its log, in normal form. */
export function deriveBody(input: { readonly log: StoredLog; readonly labels: Labels }): DerivedBody {
  const written = contentOf(input.log);
  const normal = withServiceErrors("content", () => normalize(written).doc);
  const body = bodyOf(normal, input.labels);
  const json = JSON.stringify(written);
  return { body, normalSteps: json === body.content ? null : stepsBetween(json, body.content) };
}

/** Returns the steps that turn one stored content into another, as JSON text; null where they are equal. */
export function stepsOfChange(input: { readonly before: string; readonly after: string }): string | null {
  return stepsBetween(input.before, input.after);
}
