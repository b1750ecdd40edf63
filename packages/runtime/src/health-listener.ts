import type { RequestListener } from "node:http";
import { type HealthOptions, reportHealth } from "./health.ts";

const notFound = {
  status: 404,
  headers: { "Cache-Control": "no-store" },
  body: { error: "Route not found", code: "not_found" },
};

/** Serves `GET /api/health` and nothing else, for a process that has no other address. */
export function healthListener(options: HealthOptions): RequestListener {
  return async (request, response) => {
    const url = URL.parse(request.url ?? "/", "http://localhost");
    const isHealthCheck = url?.pathname === "/api/health" && (request.method === "GET" || request.method === "HEAD");
    const { status, headers, body } = isHealthCheck ? await reportHealth(options, url.searchParams) : notFound;
    response.writeHead(status, { "Content-Type": "application/json", "X-Content-Type-Options": "nosniff", ...headers });
    response.end(JSON.stringify(body));
  };
}
