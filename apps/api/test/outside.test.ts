import { version } from "@kb/api";
import { invalidSchemas } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

describe("paths without authentication", () => {
  const statements: string[] = [];
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting({ perMinute: 3, connect: { onQuery: (text) => statements.push(text) } });
  });
  afterAll(() => setting.close());

  it("the health check lists its checks", {
    meta: { proves: ["service.health", "decision.api.health"] },
  }, async () => {
    const { status, body } = await setting.as(null).get<object>("/api/health");
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: "ok", version, checks: { database: "ok", redis: "off" } },
    });
  });

  it("the health check is exempt from the rate limit and from authentication", {
    meta: { proves: ["limits.health-exempt", "service.api-authenticated"] },
  }, async () => {
    for (let count = 0; count < 10; count += 1) {
      const { status, headers } = await setting.as(null).get<object>("/api/health");
      expect(status).toBe(200);
      expect(headers.get("X-RateLimit-Limit")).toBeNull();
    }
  });

  it("?live=1 answers without using any dependency", { meta: { proves: ["decision.api.health-live"] } }, async () => {
    statements.length = 0;
    expect((await setting.as(null).get<object>("/api/health?live=1")).status).toBe(200);
    expect(statements).toEqual([]);
  });

  it("the bare domain is not the MCP endpoint, and names its address", {
    meta: { proves: ["errors.bare-domain", "decision.api.bare-domain"] },
  }, async () => {
    for (const request of [
      { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } },
      { method: "POST" },
      { method: "GET", headers: { Accept: "text/event-stream" } },
      { method: "DELETE" },
    ]) {
      const response = await setting.app.request("/", request);
      expect(response.status).toBe(405);
      expect(response.headers.get("Allow")).toBe("GET");
      const body = await response.json();
      expect(body).toEqual({
        error: expect.stringContaining("http://localhost:3000/api/mcp"),
        code: "method_not_allowed",
      });
    }
  });

  it("GET / in a browser returns a page that links to the documentation", {
    meta: { proves: ["decision.api.bare-domain"] },
  }, async () => {
    const response = await setting.app.request("/", {
      headers: { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^text\/html/);
    expect(await response.text()).toContain('href="/docs"');
  });

  it("the description is OpenAPI 3.1.0 with the MIT license and contains every route", {
    meta: { proves: ["versioning.openapi", "versioning.prefix", "decision.api.openapi"] },
  }, async () => {
    const response = await setting.app.request("/openapi.json");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    const document = await response.json();
    expect(document.openapi).toBe("3.1.0");
    expect(document.info).toMatchObject({ version, license: { name: "MIT" } });
    const described = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    for (const row of [
      "get /api/v1/me",
      "get /api/v1/documents",
      "post /api/v1/documents",
      "get /api/v1/documents/{id}",
      "patch /api/v1/documents/{id}",
      "delete /api/v1/documents/{id}",
      "post /api/v1/documents/{id}/restore",
      "get /api/v1/collections",
      "post /api/v1/collections",
      "get /api/v1/collections/{id}",
      "patch /api/v1/collections/{id}",
      "get /api/v1/tags",
      "post /api/v1/tags",
      "get /api/health",
    ]) {
      expect(described).toContain(row);
    }
    const paths = Object.keys(document.paths).filter((path) => path !== "/api/health");
    // Paths for integrations have a version; paths that only the app uses have none.
    expect(paths.every((path) => path.startsWith("/api/v1/") || /^\/api\/[A-Za-z.]+$/.test(path))).toBe(true);
  });

  it("every schema in the description is accepted by a validator", {
    meta: { proves: ["decision.api.openapi"] },
  }, async () => {
    const document = await (await setting.app.request("/openapi.json")).json();
    expect(invalidSchemas(document)).toEqual([]);
  });

  it("the documentation is one page without external resources", {
    meta: { proves: ["decision.api.docs-page"] },
  }, async () => {
    const response = await setting.app.request("/docs");
    expect(response.status).toBe(200);
    const page = await response.text();
    for (const path of ["/api/v1/documents", "/api/v1/search", "/api/v1/collections/{id}"])
      expect(page).toContain(path);
    const loaded = [...page.matchAll(/<(?:script|link|img|iframe)\b[^>]*?(?:src|href)="([^"]*)"/g)].map(
      ([, url]) => url,
    );
    for (const url of loaded) {
      expect(url).toMatch(/^(?:\/(?!\/)|data:)/);
      if (url?.startsWith("/")) expect((await setting.app.request(url)).status).toBe(200);
    }
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  });
});
