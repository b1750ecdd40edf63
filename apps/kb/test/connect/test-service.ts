import { createApi } from "@kb/api";
import { defaultLifetimes, oauthKeys } from "@kb/auth";
import { admin } from "@kb/core";
import { createWorld, type Person, testSecret, type World } from "@kb/core/testing";
import { freePort, testDatabase } from "@kb/db/testing";
import { clientIp, openStreaming, serve } from "@kb/http";
import { createMcp, mcpPaths } from "@kb/mcp";
import { createOauth, oauthPaths } from "@kb/oauth";
import { guardedFetch, type Outgoing } from "@kb/outgoing";
import { createLifecycle, createLogger, processLimiter } from "@kb/runtime";
import { type TestClock, testClock } from "@kb/testing";
import { type AppSite, appSite } from "@kb/testing/app-site";
import { type Page, testBrowser } from "@kb/testing/browser";
import { restoreNativeClasses } from "@kb/testing/native-classes";
import { compose } from "../../src/start/compose.ts";

export const password = "the password of everybody";

/** The choices of a user on the consent page. */
export type Decision = {
  readonly scope?: "read" | "read write";
  readonly decision?: "allow" | "deny";
  readonly by?: Visitor;
};

/** A user who logs in; all users have the same password. */
export type Visitor = Pick<Person, "email"> & { readonly password?: string };

/** The whole service on one origin, with a test world. */
export type TestService = {
  /** The issuer. */
  readonly origin: string;
  /** The MCP endpoint. */
  readonly mcp: URL;
  readonly world: World;
  readonly clock: TestClock;
  /** The web site of an app; its metadata documents are found. */
  readonly site: AppSite;
  /** The received requests, such as `GET /path`. */
  readonly requests: string[];
  /** Opens the address in a browser, logs in and decides by posting the forms; returns the final redirect. */
  approve(address: URL | string, decision?: Decision): Promise<URL>;
  close(): Promise<void>;
};

/** Starts the apps as `kb start` combines them, with a test world and a database of their own. */
export async function startTestService(): Promise<TestService> {
  const [test, site, port] = await Promise.all([testDatabase(), appSite(), freePort()]);
  const origin = `http://localhost:${port}`;
  const clock = testClock();
  const world = await createWorld(test.database, { clock, appUrl: origin });
  await test.database.client.team.update({ where: { id: world.teamId }, data: { mcpEnabled: true } });
  for (const person of Object.values(world.people)) await admin.setPassword(world.service, person.email, password);
  const requests: string[] = [];
  const { fetch, close } = composed(world, site);
  const lifecycle = createLifecycle();
  const recorded: typeof fetch = (request, bindings) => {
    requests.push(`${request.method} ${new URL(request.url).pathname}`);
    return fetch(request, bindings);
  };
  const running = await serve({ fetch: recorded, hostname: "127.0.0.1", port, lifecycle, drainMs: 1_000 });
  // A client in another process would use the native ones.
  restoreNativeClasses();
  return {
    origin,
    mcp: new URL(`${origin}/api/mcp`),
    world,
    clock,
    site,
    requests,
    approve: (address, decision) => approve(origin, String(address), { by: world.people.editor, ...decision }),
    close: async () => {
      await running.close();
      close();
      await site.close();
      await test.drop();
    },
  };
}

function composed({ service }: World, site: AppSite) {
  const logger = createLogger({ app: "kb", level: process.env.TEST_LOG_LEVEL ?? "silent" });
  const publicOnly = guardedFetch();
  const anywhere = guardedFetch({ allowPrivateNetwork: true });
  const outgoing: Outgoing = (url, request) => {
    const near = site.localUrlOf(url);
    return near === undefined ? publicOnly(url, request) : anywhere(near, request);
  };
  const keys = oauthKeys({ secret: testSecret });
  const limiter = processLimiter();
  const edge = { service, logger, lifecycle: createLifecycle(), clientIp: clientIp([]), limiter, outgoing };
  const streaming = openStreaming(service, edge);
  const guarded = { ...edge, streaming, perMinute: 1_000_000, oauthKeys: keys };
  const mcp = createMcp(guarded);
  const authorization = { keys, lifetimes: defaultLifetimes, registerPerHour: 1_000, tokenPerMinute: 1_000 };
  const parts = [
    { paths: oauthPaths, answer: createOauth({ ...edge, secret: testSecret, authorization }).fetch },
    { paths: mcpPaths, answer: mcp.app.fetch },
  ];
  return {
    fetch: compose(parts, createApi(guarded).fetch),
    close: () => {
      streaming.close();
      mcp.close();
    },
  };
}

/** Opens an authorization request in a browser, logs in and decides; returns the final redirect. */
export async function approve(origin: string, address: string, decided: Decision & { by: Visitor }): Promise<URL> {
  const { scope = "read write", decision = "allow", by } = decided;
  const request = (url: string, init: RequestInit) => fetch(url, { ...init, redirect: "manual" });
  const browser = testBrowser({ request }, { origin });
  const logIn = await follow(browser, await browser.get(address));
  const arrived = await browser.submit(logIn, "/login", { email: by.email, password: by.password ?? password });
  const consent = await follow(browser, arrived);
  const answer = await browser.submit(consent, "/oauth/authorize", { scope, decision });
  if (answer.status !== 303) throw new Error(`consent answered ${answer.status}: ${answer.text}`);
  return new URL(answer.headers.get("Location") ?? "");
}

async function follow(browser: ReturnType<typeof testBrowser>, page: Page): Promise<Page> {
  const location = page.headers.get("Location");
  if (page.status !== 303 || location === null) throw new Error(`no redirect but ${page.status}: ${page.text}`);
  return browser.get(location);
}
