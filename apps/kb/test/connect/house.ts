import { createApi } from "@kb/api";
import { defaultLifetimes, oauthKeys } from "@kb/auth";
import { admin } from "@kb/core";
import { clientIp, createLifecycle, createLogger, processLimiter, serve } from "@kb/http";
import { createMcp, mcpPaths } from "@kb/mcp";
import { createOauth, oauthPaths } from "@kb/oauth";
import { guardedFetch, type Outgoing } from "@kb/outgoing";
import { createWorld, type Person, type TestClock, testClock, testDatabase, testSecret, type World } from "@kb/testing";
import { type AppSite, appSite } from "@kb/testing/app-site";
import { type Page, testBrowser } from "@kb/testing/browser";
import { compose } from "../../src/start/compose.ts";
import { freePort } from "../process.ts";

export const password = "the password of everybody";

/** What a user presses on the page of consent. */
export type Decision = {
  readonly scope?: "read" | "read write";
  readonly decision?: "allow" | "deny";
  readonly by?: Visitor;
};

/** Somebody who logs in; the people of the house have one password. */
export type Visitor = Pick<Person, "email"> & { readonly password?: string };

/** The whole service on one origin, as foreign clients meet it, and people who log in to it. */
export type House = {
  /** The issuer. */
  readonly origin: string;
  /** The address that people give their clients. */
  readonly mcp: URL;
  readonly world: World;
  readonly clock: TestClock;
  /** The web site of an app; its metadata documents are found. */
  readonly site: AppSite;
  /** What was asked for, `GET /path`. */
  readonly asked: string[];
  /** Opens the address in a browser, logs in and decides, all by posting the forms; gives where it leads afterwards. */
  approve(address: URL | string, decision?: Decision): Promise<URL>;
  close(): Promise<void>;
};

/** Opens one: the apps as `kb start` puts them together, over a world of its own. */
export async function openHouse(): Promise<House> {
  const [test, site, port] = await Promise.all([testDatabase(), appSite(), freePort()]);
  const origin = `http://localhost:${port}`;
  const clock = testClock();
  const world = await createWorld(test.database, { clock, appUrl: origin });
  await test.database.client.team.update({ where: { id: world.teamId }, data: { mcpEnabled: true } });
  for (const person of Object.values(world.people)) await admin.setPassword(world.service, person.email, password);
  const asked: string[] = [];
  const { fetch, close } = composed(world, site);
  const lifecycle = createLifecycle();
  const noted: typeof fetch = (request, bindings) => {
    asked.push(`${request.method} ${new URL(request.url).pathname}`);
    return fetch(request, bindings);
  };
  const { Request, Response } = globalThis;
  const running = await serve({ fetch: noted, hostname: "127.0.0.1", port, lifecycle, drainMs: 1_000 });
  // The server puts classes of its own in their place, and a client in its own process never meets those.
  Object.assign(globalThis, { Request, Response });
  return {
    ...{ origin, mcp: new URL(`${origin}/api/mcp`), world, clock, site, asked },
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
  const [publicOnly, anywhere] = [guardedFetch(), guardedFetch({ allowPrivateNetwork: true })];
  const outgoing: Outgoing = (url, request) => {
    const near = site.near(url);
    return near === undefined ? publicOnly(url, request) : anywhere(near, request);
  };
  const keys = oauthKeys({ secret: testSecret });
  const limiter = processLimiter();
  const edge = { service, logger, lifecycle: createLifecycle(), clientIp: clientIp([]), limiter, outgoing };
  const guarded = { ...edge, perMinute: 1_000_000, oauthKeys: keys };
  const mcp = createMcp(guarded);
  const authorization = { keys, lifetimes: defaultLifetimes, registerPerHour: 1_000, tokenPerMinute: 1_000 };
  const parts = [
    { paths: oauthPaths, answer: createOauth({ ...edge, secret: testSecret, authorization }).fetch },
    { paths: mcpPaths, answer: mcp.app.fetch },
  ];
  return { fetch: compose(parts, createApi(guarded).fetch), close: () => mcp.close() };
}

/** A user's part of the dance, against a service at an origin: logs in there and decides. */
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
