import { Hono } from "hono";
import { expect, it } from "vitest";
import { ClientGone } from "./client-gone.ts";
import type { Edge } from "./edge.ts";
import { onError } from "./error-handlers.ts";

it("a request whose client disconnected counts as 499, and its line of the log has no cause", async () => {
  const failures: unknown[] = [];
  const app = new Hono<Edge>();
  app.onError(onError);
  app.use(async (context, next) => {
    await next();
    failures.push(context.get("failure"));
  });
  app.get("/", () => {
    throw new ClientGone();
  });
  expect((await app.request("/")).status).toBe(499);
  expect(failures).toEqual([{ code: "client_disconnected" }]);
});
