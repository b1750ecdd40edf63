import { type ErrorCode, notFound, ServiceError, StepShapes } from "@kb/core";
import { describeError } from "@kb/runtime";
import type { ErrorHandler, NotFoundHandler } from "hono";
import { ClientGone } from "./client-gone.ts";
import type { Edge, EdgeContext } from "./edge.ts";
import { type ErrorAnswer, errorAnswer } from "./error-table.ts";

const defects: ReadonlySet<ErrorCode> = new Set(["internal_error", "unavailable"]);

/** Records an error for the log and sets the headers of its answer; returns the answer, which may take any form. */
export function recordError(context: EdgeContext, thrown: unknown): ErrorAnswer {
  const answer = errorAnswer(thrown);
  const { body, headers } = answer;
  context.set("failure", failureOf(thrown, body.code));
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
  context.header("Cache-Control", "no-store");
  return answer;
}

function failureOf(thrown: unknown, code: ErrorCode): EdgeContext["var"]["failure"] {
  if (thrown instanceof ClientGone) return { code: "client_disconnected" };
  if (defects.has(code)) return { code, cause: describeError(thrown) };
  return thrown instanceof Error && thrown.cause instanceof StepShapes ? { code, cause: thrown.cause } : { code };
}

/** Answers with the error format of the API. Defects are logged with the id of the request. */
export function answerError(thrown: unknown, context: EdgeContext): Response {
  const { status, body } = recordError(context, thrown);
  return context.json(body, status);
}

/** Answers an error that a handler threw. */
export const onError: ErrorHandler<Edge> = (thrown, context) => answerError(thrown, context);

/** Answers a request for an unknown path. */
export const onNotFound: NotFoundHandler<Edge> = (context) => onError(notFound("Route"), context);

/** Returns the error for a path that exists with another method. */
export function methodNotAllowed(allow: string, message = `Use ${allow}.`): ServiceError {
  return new ServiceError("method_not_allowed", message);
}
