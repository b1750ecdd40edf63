import {
  type FailureKind,
  type LogPosition,
  type StreamReceiver,
  type Transport,
  TransportFailure,
} from "@kb/live/session";
import { call } from "../api/call.ts";
import { Failure } from "../api/failure.ts";
import { boot, renewBoot } from "../app/boot.ts";
import { LiveStream } from "./live-stream.ts";
import type { PeopleHere } from "./people-here.ts";

/** Connects the session of a document to the service. */
export function liveTransport(documentId: string, people: PeopleHere): Transport {
  return {
    open: () => told(call("live.open", { documentId })),
    push: ({ steps, ...batch }) =>
      told(call("live.push", { documentId, ...batch, steps: steps.filter((step) => isStep(step)) })),
    batches: (position) => told(call("live.batches", { documentId, ...position })),
    stream: (position: () => LogPosition, receiver: StreamReceiver) => {
      const stream = new LiveStream(documentId, people, position, receiver);
      stream.start();
      return () => stream.end();
    },
  };
}

/** A step is an object. */
const isStep = (step: unknown): step is Record<string, unknown> => typeof step === "object" && step !== null;

/** Says what a failure means for the session. */
async function told<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const kind = error.status === 403 && !(await isOwnSession()) ? "unreachable" : kindOf(error);
    throw new TransportFailure(kind, error.message, (error.retryAfterSeconds ?? 0) * 1_000);
  }
}

/**
 * Returns whether the browser's session is the one that this page knows. After a log-in in another tab the service refuses the
 * page's token, which says nothing about the document.
 */
async function isOwnSession(): Promise<boolean> {
  const { csrfToken } = boot().app;
  try {
    const app = await call("app.boot", {});
    renewBoot(app);
    return app.csrfToken === csrfToken;
  } catch {
    return false;
  }
}

/** What the service's own errors mean. */
const kinds: Readonly<Record<string, FailureKind>> = {
  forbidden: "forbidden",
  insufficient_scope: "forbidden",
  not_found: "gone",
  lineage_changed: "reopen",
  too_old: "reopen",
  conflict: "superseded",
  schema_ahead: "outdated",
  validation_error: "refused",
  payload_too_large: "refused",
  steps_refused: "refused",
  too_complex: "refused",
};

/**
 * All else is asked again: a log-in that has ended begins anew, a busy service answers later, and what a proxy answers in place of
 * the service says nothing about the document.
 */
const kindOf = ({ code }: Failure): FailureKind => kinds[code] ?? "unreachable";
