import { type Edge, type EdgeContext, type EdgeMiddleware, pagePolicy, type Row, refuseMcpClients } from "@kb/http";
import type { Hono } from "hono";
import { describeApi } from "../description.ts";
import { docsPage } from "./docs.ts";
import { landingPage } from "./landing.ts";
import type { Html } from "./page.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";

/** The policy of the documentation, which may run its own script. */
const docsPolicy = `${pagePolicy}; script-src 'self'; require-trusted-types-for 'script'`;

type PageOptions = { readonly appUrl: string; readonly rows: readonly Row[]; readonly limitPages: EdgeMiddleware };

/** Serves the pages outside of `/api`, and the OpenAPI description. */
export function servePages(app: Hono<Edge>, options: PageOptions): void {
  const { appUrl, rows, limitPages } = options;
  const description = describeApi(rows, appUrl);
  const served = JSON.stringify(description);
  const landing = landingPage(appUrl);
  const docs = docsPage(rows, description, appUrl);

  app.all("/", refuseMcpClients(appUrl), limitPages, (context) => {
    context.set("route", "/");
    return showPage(context, landing);
  });
  app.get("/docs", limitPages, (context) => {
    context.set("route", "/docs");
    return showPage(context, docs, docsPolicy);
  });
  app.get("/docs/script.js", limitPages, (context) => {
    context.set("route", "/docs/script.js");
    context.header("Cache-Control", "public, max-age=300");
    return context.body(script, 200, { "Content-Type": "text/javascript; charset=utf-8" });
  });
  app.get("/docs/style.css", limitPages, (context) => {
    context.set("route", "/docs/style.css");
    context.header("Cache-Control", "public, max-age=300");
    return context.body(style, 200, { "Content-Type": "text/css; charset=utf-8" });
  });
  app.get("/openapi.json", limitPages, (context) => {
    context.set("route", "/openapi.json");
    context.header("Cache-Control", "public, max-age=300");
    // The description is public, and tools on other sites read it.
    context.header("Access-Control-Allow-Origin", "*");
    context.header("Cross-Origin-Resource-Policy", "cross-origin");
    return context.body(served, 200, { "Content-Type": "application/json; charset=utf-8" });
  });
}

function showPage(context: EdgeContext, page: Html, policy = pagePolicy): Response | Promise<Response> {
  context.header("Content-Security-Policy", policy);
  context.header("Cache-Control", "no-cache");
  return context.html(page);
}
