import { type Edge, type EdgeContext, methodNotAllowed, pagePolicy, type Row } from "@kb/http";
import type { Hono } from "hono";
import { describeApi } from "../description.ts";
import { docsPage } from "./docs.ts";
import { landingPage } from "./landing.ts";
import type { Html } from "./page.ts";
import { style } from "./style.ts";

/** What is served outside of `/api`: for people, and for tools that read the description. */
export function servePages(app: Hono<Edge>, options: { appUrl: string; rows: readonly Row[] }): void {
  const { appUrl, rows } = options;
  const description = describeApi(rows, appUrl);
  const served = JSON.stringify(description);
  const landing = landingPage(appUrl);
  const docs = docsPage(rows, description, appUrl);

  app.get("/", (context) => {
    context.set("route", "/");
    if (wantsEvents(context)) throw notMcp(context, appUrl);
    return showPage(context, landing);
  });
  app.all("/", (context) => {
    context.set("route", "/");
    throw notMcp(context, appUrl);
  });
  app.get("/docs", (context) => {
    context.set("route", "/docs");
    return showPage(context, docs);
  });
  app.get("/docs/style.css", (context) => {
    context.set("route", "/docs/style.css");
    context.header("Cache-Control", "public, max-age=300");
    return context.body(style, 200, { "Content-Type": "text/css; charset=utf-8" });
  });
  app.get("/openapi.json", (context) => {
    context.set("route", "/openapi.json");
    context.header("Cache-Control", "public, max-age=300");
    // Public, and meant for tools that run elsewhere.
    context.header("Access-Control-Allow-Origin", "*");
    context.header("Cross-Origin-Resource-Policy", "cross-origin");
    return context.body(served, 200, { "Content-Type": "application/json; charset=utf-8" });
  });
}

function showPage(context: EdgeContext, page: Html): Response | Promise<Response> {
  context.header("Content-Security-Policy", pagePolicy);
  context.header("Cache-Control", "no-cache");
  return context.html(page);
}

function wantsEvents(context: EdgeContext): boolean {
  return (context.req.header("Accept") ?? "").toLowerCase().includes("text/event-stream");
}

/** People type the bare domain into their assistant's settings: the answer tells them the address that they meant. */
function notMcp(context: EdgeContext, appUrl: string): Error {
  context.header("Allow", "GET");
  return methodNotAllowed("GET", `This is not the MCP endpoint: that is ${appUrl}/api/mcp`);
}
