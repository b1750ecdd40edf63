import type { Hono } from "hono";
import { type Credentials, identify, requireCaller } from "./authenticate.ts";
import type { Edge, EdgeMiddleware } from "./edge.ts";
import type { ClientIp } from "./rate-limit/client-ip.ts";
import type { Limiter } from "./rate-limit/limiter.ts";
import { rateLimit } from "./rate-limit/middleware.ts";

/** Guards everything below `/api`: who is calling, how often, and only then a refusal. Register the health check before. */
export function guardApi(
  app: Hono<Edge>,
  options: Credentials & { limiter: Limiter; perMinute: number; clientIp: ClientIp },
): void {
  app.use("/api/*", privateAnswers, identify(options), rateLimit(options), requireCaller);
}

/** An answer is the caller's own; a client may keep it and ask by its `ETag` whether it still holds. */
const privateAnswers: EdgeMiddleware = async (context, next) => {
  context.header("Cache-Control", "private, no-cache");
  context.header("Vary", "Authorization, Cookie");
  await next();
};
