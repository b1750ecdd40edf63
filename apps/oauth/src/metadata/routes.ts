import type { Edge } from "@kb/http";
import type { Hono } from "hono";
import { serveEndpoint } from "../endpoint.ts";
import { authorizationServerPath, protectedResourcePath } from "../paths.ts";
import { authorizationServerMetadata, protectedResourceMetadata } from "./documents.ts";

/**
 * The documents by which clients find their way, for everybody. The resource's stands at the root, where the interface has
 * it, and where RFC 9728 §3.1 has clients look for it first: its path inserted. The server's issuer has no path, so there
 * is one place for its own (RFC 8414 §3.1).
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
