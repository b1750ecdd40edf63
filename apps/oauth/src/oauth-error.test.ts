import { ServiceError } from "@kb/core";
import { DatabaseUnavailableError } from "@kb/db";
import { clientIp, edgeApp } from "@kb/http";
import { createLogger } from "@kb/runtime";
import { describe, expect, it } from "vitest";
import { serveEndpoint } from "./endpoint.ts";
import { OauthError } from "./oauth-error.ts";

/** Returns the answer of an endpoint that throws the error, and its log lines. */
async function thrown(error: unknown) {
  const lines: string[] = [];
  const logger = createLogger({ app: "oauth", level: "info", destination: { write: (line) => lines.push(line) } });
  const app = edgeApp({ logger, clientIp: clientIp([]), appUrl: "https://wiki.example.com" });
  serveEndpoint(app, "POST", "/oauth/example", () => {
    throw error;
  });
  const answer = await app.request("/oauth/example", { method: "POST", headers: { Origin: "https://x.example" } });
  return { status: answer.status, headers: answer.headers, body: await answer.json(), log: lines.join("\n") };
}

describe("an error response (RFC 6749 §5.2)", () => {
  it("is JSON with error and error_description, is not cached, and is readable by pages of any origin", async () => {
    const { status, headers, body } = await thrown(new OauthError("invalid_grant", "The code is not known."));
    expect([status, body]).toEqual([400, { error: "invalid_grant", error_description: "The code is not known." }]);
    expect(headers.get("Content-Type")).toBe("application/json");
    expect([headers.get("Cache-Control"), headers.get("Pragma")]).toEqual(["no-store", "no-cache"]);
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
  });

  it("has a description of bounded length with only the allowed characters", async () => {
    const hostile = `"quoted" \\ back\r\nSet-Cookie: x\u202e\u00e9${"x".repeat(1_000)}`;
    const { body } = await thrown(new OauthError("invalid_request", hostile));
    expect(body.error_description).toMatch(/^'quoted' \? back\?\?Set-Cookie: x\?\?x+\.\.\.$/);
    expect(body.error_description).toHaveLength(500);
  });

  it("invalid_client is 401", async () => {
    expect((await thrown(new OauthError("invalid_client", "Register."))).status).toBe(401);
  });

  it("is 503 temporarily_unavailable with Retry-After if the database is unavailable", async () => {
    const { status, headers, body } = await thrown(new DatabaseUnavailableError(new Error("ECONNREFUSED 10.1.2.3")));
    expect([status, body.error]).toEqual([503, "temporarily_unavailable"]);
    expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toContain("10.1.2.3");
  });

  it("reveals nothing of a defect, which is only described in the log", async () => {
    const { status, body, log } = await thrown(new TypeError("a secret detail"));
    expect([status, body.error]).toEqual([500, "server_error"]);
    expect(JSON.stringify(body)).not.toContain("detail");
    expect(log).toContain("a secret detail");
  });

  it.each([
    [new ServiceError("payload_too_large", "Too large."), 413, "invalid_request"],
    [new ServiceError("rate_limited", "Too often.", { retryAfterSeconds: 7 }), 429, "too_many_requests"],
  ])("translates an error of the service into a code of the protocol: %s", async (error, status, code) => {
    const answer = await thrown(error);
    expect([answer.status, answer.body.error]).toEqual([status, code]);
    expect(answer.headers.get("Retry-After")).toBe(status === 429 ? "7" : null);
  });
});
