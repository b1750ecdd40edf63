import { randomUUID } from "node:crypto";
import type { EdgeMiddleware } from "./edge.ts";

const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

/** Uses the client's `X-Request-Id` if it is safe to log, otherwise generates one. Returns it in the answer. */
export const requestId: EdgeMiddleware = async (context, next) => {
  const given = context.req.header("X-Request-Id");
  const id = given !== undefined && acceptable.test(given) ? given : randomUUID();
  context.set("requestId", id);
  context.header("X-Request-Id", id);
  await next();
};
