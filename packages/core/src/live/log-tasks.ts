import { isMainThread } from "node:worker_threads";
import {
  type AcceptedSteps,
  acceptBatch,
  type DocumentLimits,
  LogUnreadableError,
  type SentBatch,
  StepsRefusedError,
  type StoredLog,
  stepsBetween,
} from "@kb/live";
import type { DocJSON } from "markdown-codec";
import { limits } from "../documents/body.ts";
import { ServiceError } from "../errors.ts";
import { maxMarkdownLength } from "../schema/max-markdown-length.ts";
import { maxOnEventLoop } from "../threads/max-on-event-loop.ts";
import { type DerivedBody, type DeriveInput, deriveAnew, LastDocument } from "./followed-document.ts";
import { growthOfSteps } from "./growth-of-steps.ts";
import type { CaughtUp } from "./kept-documents.ts";

const documentLimits: DocumentLimits = { nodes: limits.nodes, characters: maxMarkdownLength };
/** Everything is over these: the document may only shrink. */
const noRoom: DocumentLimits = { nodes: 0, characters: 0 };

/** A document, a batch for it, and whether the document may grow. */
type AcceptInput = { readonly log: StoredLog; readonly sent: SentBatch; readonly mayGrow: boolean };

/** The accepted form of a batch, and about the bytes by which it grows the document; negative where that shrinks. */
export type SizedSteps = AcceptedSteps & { readonly growth: number };

/**
 * Returns the form in which a batch is accepted.
 * @throws {ServiceError} `steps_refused`, `payload_too_large` for a document that must not grow, `unavailable` for a broken log
 */
export function acceptSteps({ log, sent, mayGrow }: AcceptInput): SizedSteps {
  return withRefusals(mayGrow, (limits) => sized(acceptBatch(log, sent, limits)));
}

/**
 * Returns the form in which a batch is accepted after a document, and the document after it.
 * @throws {ServiceError} as `acceptSteps`
 * @throws {LargeChangeError} for a batch that changes more than the event loop has time for
 */
export function acceptOnLoop({ document, since }: CaughtUp, steps: string) {
  return withRefusals(true, (limits) => {
    const after = document.accept({ steps, since }, limits, maxOnEventLoop);
    return { accepted: sized(after.accepted), document: after.document };
  });
}

const sized = (accepted: AcceptedSteps): SizedSteps => ({ ...accepted, growth: growthOfSteps(accepted.steps) });

/** @throws {ServiceError} `unavailable` for a log that cannot be replayed */
export function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof LogUnreadableError ? unsavable(error) : error;
  }
}

/** @throws {ServiceError} for what is refused */
function withRefusals<T>(mayGrow: boolean, accept: (limits: DocumentLimits) => T): T {
  try {
    return accept(mayGrow ? documentLimits : noRoom);
  } catch (error) {
    if (error instanceof LogUnreadableError) throw unsavable(error);
    if (!(error instanceof StepsRefusedError)) throw error;
    if (error.reason === "full") throw full(mayGrow ? `The document is full. ${error.message}.` : onlyDeletions);
    const details = [{ path: "steps", message: error.message }];
    throw new ServiceError("steps_refused", `The steps do not apply: ${error.message}. Open the document again.`, {
      details,
    });
  }
}

const onlyDeletions =
  "The newest text of this document cannot be saved, because it is too large or too complex. Delete a part of it first.";

const full = (message: string): ServiceError =>
  new ServiceError("payload_too_large", message, { details: [{ path: "steps", message }] });

/** Returns the error for callers whose change needs the newest text of a document, which cannot be derived from its log. */
export function unsavable(cause: unknown): ServiceError {
  return new ServiceError("unavailable", "The newest text of this document cannot be read now. Try again later.", {
    retryAfterSeconds: 10,
    cause,
  });
}

const last = new LastDocument();

/** Derives the body of a document after all batches of its log, in normal form. */
export const deriveBody = (input: DeriveInput): DerivedBody => (isMainThread ? deriveAnew(input) : last.derive(input));

/** Called by a thread before each of its tasks: what it keeps for the next version of a document is no burden for others. */
export function forgetBefore(task: string): void {
  if (task !== "deriveBody") last.forget();
}

/** Parses stored content, which was written from a validated document. */
const readStored = (content: string): DocJSON => JSON.parse(content);

/** Returns the steps that turn one stored content into another, as JSON text; null where they are equal. */
export function stepsOfChange(input: { readonly before: string; readonly after: string }): string | null {
  return stepsBetween(readStored(input.before), readStored(input.after));
}
