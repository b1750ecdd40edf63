import type { Hono } from "hono";
import { type Credentials, identify, refuseUnidentified } from "./authenticate.ts";
import { chargeCost } from "./charge-cost.ts";
import type { Edge, EdgeMiddleware } from "./edge.ts";
import { type RateLimitOptions, rateLimit } from "./rate-limit.ts";

/**
 * Guards everything below `/api`: identifies the caller, counts the request, and only then refuses it; then counts what the request costs. Register the health
 * check before it.
 */
export function guardApi(app: Hono<Edge>, options: Credentials & RateLimitOptions): void {
  app.use("/api/*", privateAnswers, identify(options), rateLimit(options), refuseUnidentified, chargeCost(options));
}

/** Lets a client store its own answers, and revalidate them with their `ETag`. */
const privateAnswers: EdgeMiddleware = async (context, next) => {
  context.header("Cache-Control", "private, no-cache");
  context.header("Vary", "Authorization, Cookie");
  await next();
};
