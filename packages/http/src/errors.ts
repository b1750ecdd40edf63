import { type ErrorCode, notFound, ServiceError } from "@kb/core";
import type { ErrorHandler, NotFoundHandler } from "hono";
import type { Edge, EdgeContext } from "./edge.ts";
import { type ErrorAnswer, errorAnswer } from "./error-table.ts";
import { describeError } from "./log.ts";

const defects: ReadonlySet<ErrorCode> = new Set(["internal_error", "unavailable"]);

/** Notes an error for the log and sets the headers of its answer; gives what is to be told, in whatever form. */
export function tellError(context: EdgeContext, thrown: unknown): ErrorAnswer {
  const answer = errorAnswer(thrown);
  const { body, headers } = answer;
  context.set("failure", {
    code: body.code,
    ...(defects.has(body.code) ? { cause: describeError(thrown) } : {}),
  });
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
  context.header("Cache-Control", "no-store");
  return answer;
}

/** Answers with the contract's error body; what is our own fault is logged with the request's id. */
export const onError: ErrorHandler<Edge> = (thrown, context) => {
  const { status, body } = tellError(context, thrown);
  return context.json(body, status);
};

/** The answer for a path that no row has. */
export const onNotFound: NotFoundHandler<Edge> = (context) => onError(notFound("Route"), context);

/** The answer for a path that exists with another method. */
export function methodNotAllowed(allow: string, message = `Use ${allow}.`): ServiceError {
  return new ServiceError("method_not_allowed", message);
}
