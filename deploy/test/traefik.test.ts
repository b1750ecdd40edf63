import { apiPaths } from "@kb/api";
import { mcpPaths } from "@kb/mcp";
import { oauthPaths } from "@kb/oauth";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { text } from "./read.ts";

const Duration = z.string().regex(/^\d+(?:ms|s|m)$/);
/** The fields of Traefik 3 that the files use, as its reference of the file provider names them. */
const Routes = z.strictObject({
  http: z.strictObject({
    routers: z.record(
      z.string(),
      z.strictObject({
        rule: z.string(),
        priority: z.int(),
        entryPoints: z.array(z.string()),
        service: z.string(),
        middlewares: z.array(z.string()),
      }),
    ),
    middlewares: z.record(
      z.string(),
      z.strictObject({ retry: z.strictObject({ attempts: z.int(), initialInterval: Duration }) }),
    ),
    serversTransports: z.record(
      z.string(),
      z.strictObject({ forwardingTimeouts: z.strictObject({ dialTimeout: Duration, idleConnTimeout: Duration }) }),
    ),
    services: z.record(
      z.string(),
      z.strictObject({
        loadBalancer: z.strictObject({
          servers: z.array(z.strictObject({ url: z.url() })).length(2),
          serversTransport: z.string(),
          healthCheck: z.strictObject({
            path: z.literal("/api/health?ready=1"),
            interval: Duration,
            timeout: Duration,
          }),
          sticky: z
            .strictObject({
              cookie: z.strictObject({
                name: z.literal("kb_web"),
                secure: z.literal(true),
                httpOnly: z.literal(true),
                sameSite: z.literal("lax"),
              }),
            })
            .optional(),
        }),
      }),
    ),
  }),
});
const Start = z.strictObject({
  entryPoints: z.record(
    z.string(),
    z.strictObject({
      address: z.string().regex(/^:\d+$/),
      http: z.record(z.string(), z.unknown()),
      transport: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
  certificatesResolvers: z.record(z.string(), z.unknown()),
  providers: z.strictObject({ file: z.strictObject({ filename: z.string() }) }),
});

const { http } = Routes.parse(parse(text("proxy/traefik/routes.yaml")));
const start = Start.parse(parse(text("proxy/traefik/traefik.yaml")));

/** The service of the matching router with the highest priority, as Traefik chooses. */
function serviceOf(path: string): string | undefined {
  const routers = Object.values(http.routers).toSorted((one, other) => other.priority - one.priority);
  return routers.find(({ rule }) => new RegExp(/PathRegexp\(`(.*)`\)$/.exec(rule)?.[1] ?? "").test(path))?.service;
}

it("Traefik's routes lead each path to its app", () => {
  const withBelow = (paths: readonly string[]) => paths.flatMap((path) => [path, `${path}/below`]);
  for (const path of withBelow(mcpPaths)) expect([path, serviceOf(path)]).toEqual([path, "mcp"]);
  for (const path of withBelow(oauthPaths)) expect([path, serviceOf(path)]).toEqual([path, "oauth"]);
  for (const path of ["/api/v1/me", ...withBelow(apiPaths)]) expect([path, serviceOf(path)]).toEqual([path, "api"]);
  for (const path of ["/", "/documents/one", "/loginx", "/docsx"]) {
    expect([path, serviceOf(path)]).toEqual([path, "web"]);
  }
});

it("Traefik's routes name only parts that exist, and every browser stays at one instance of the web app", () => {
  for (const { entryPoints, service, middlewares } of Object.values(http.routers)) {
    expect(entryPoints.every((name) => name in start.entryPoints)).toBe(true);
    expect(service in http.services).toBe(true);
    expect(middlewares.every((name) => name in http.middlewares)).toBe(true);
  }
  for (const [name, { loadBalancer }] of Object.entries(http.services)) {
    expect(loadBalancer.serversTransport in http.serversTransports).toBe(true);
    expect(loadBalancer.servers.map(({ url }) => url)).toEqual([`http://${name}-1:3000`, `http://${name}-2:3000`]);
    expect(loadBalancer.sticky !== undefined).toBe(name === "web");
  }
});
