import type { Edge, EdgeContext } from "@kb/http";
import type { Hono } from "hono";
import { cors } from "hono/cors";
import { answerOauthError, OauthError } from "./oauth-error.ts";

/** Allows pages of any origin: no endpoint here reads a cookie, so a page learns no more than any other client. */
const allowAnyOrigin = (method: "GET" | "POST") =>
  cors({
    origin: "*",
    allowMethods: [method],
    allowHeaders: ["Authorization", "Content-Type", "MCP-Protocol-Version"],
    exposeHeaders: ["WWW-Authenticate", "Retry-After"],
    maxAge: 86_400,
  });

/** Serves an endpoint for programs: it answers errors as OAuth does, and pages of any origin may call it. */
export function serveEndpoint(
  app: Hono<Edge>,
  method: "GET" | "POST",
  path: string,
  answer: (context: EdgeContext) => Promise<Response> | Response,
): void {
  app.use(path, allowAnyOrigin(method), async (context, next) => {
    context.set("route", path);
    await next();
  });
  app.on(method, path, async (context) => {
    try {
      return await answer(context);
    } catch (thrown) {
      return answerOauthError(context, thrown);
    }
  });
  app.all(path, (context) => {
    const headers = { Allow: `${method}, OPTIONS` };
    return answerOauthError(context, new OauthError("invalid_request", `Use ${method}.`, { status: 405, headers }));
  });
}
