import { randomUUID } from "node:crypto";
import type { EdgeMiddleware } from "./edge.ts";

const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

/** Takes the client's `X-Request-Id` where it is safe to log, else makes one; echoes it. */
export const requestId: EdgeMiddleware = async (context, next) => {
  const given = context.req.header("X-Request-Id");
  const id = given !== undefined && acceptable.test(given) ? given : randomUUID();
  context.set("requestId", id);
  context.header("X-Request-Id", id);
  await next();
};
