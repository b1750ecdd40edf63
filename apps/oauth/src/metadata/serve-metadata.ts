import type { Edge } from "@kb/http";
import type { Hono } from "hono";
import { serveEndpoint } from "../endpoint.ts";
import { authorizationServerPath, protectedResourcePath } from "../paths.ts";
import { authorizationServerMetadata, protectedResourceMetadata } from "./documents.ts";

/**
 * Serves the public discovery documents. The metadata of the resource is served at the root and where RFC 9728 §3.1 has
 * clients look first, with the path of the resource inserted. The issuer has no path, so its metadata has one place
 * (RFC 8414 §3.1).
 */
export function serveMetadata(app: Hono<Edge>, appUrl: string): void {
  const documents = {
    [authorizationServerPath]: authorizationServerMetadata(appUrl),
    [protectedResourcePath]: protectedResourceMetadata(appUrl),
    [`${protectedResourcePath}/api/mcp`]: protectedResourceMetadata(appUrl),
  };
  for (const [path, document] of Object.entries(documents)) {
    serveEndpoint(app, "GET", path, (context) => {
      context.header("Cache-Control", "public, max-age=300");
      return context.json(document);
    });
  }
}
