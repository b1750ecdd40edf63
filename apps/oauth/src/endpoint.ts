import type { Edge, EdgeContext } from "@kb/http";
import type { Hono } from "hono";
import { cors } from "hono/cors";
import { answerOauthError, OauthError } from "./oauth-error.ts";

/** What a page of any origin may ask: nothing here goes by cookies, so it is told no more than any other program. */
const open = (method: "GET" | "POST") =>
  cors({
    origin: "*",
    allowMethods: [method],
    allowHeaders: ["Authorization", "Content-Type", "MCP-Protocol-Version"],
    exposeHeaders: ["WWW-Authenticate", "Retry-After"],
    maxAge: 86_400,
  });

/** Serves an address for programs: its errors are those of the protocol, and pages of any origin may ask it. */
export function serveEndpoint(
  app: Hono<Edge>,
  method: "GET" | "POST",
  path: string,
  answer: (context: EdgeContext) => Promise<Response> | Response,
): void {
  app.use(path, open(method), async (context, next) => {
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
