import { apiPaths, createApi } from "@kb/api";
import { type Person, testSecret } from "@kb/core/testing";
import { clientIp, type Fetch, openStreaming, serve } from "@kb/http";
import { createMcp, mcpPaths } from "@kb/mcp";
import { createOauth, oauthPaths } from "@kb/oauth";
import { guardedFetch } from "@kb/outgoing";
import { createLifecycle, createLogger, processLimiter } from "@kb/runtime";
import { startChromium } from "@kb/testing/chromium";
import { type WatchedOptions, withWatchedContext } from "@kb/testing/page-problems";
import type { Browser, Page } from "playwright-core";
import { openSetting, type Setting } from "./setting.ts";

/** Answers a request instead of the service, or returns undefined. */
type Intercept = (path: string, method: string) => Response | undefined;

/** The app with its API on one origin, and a browser for it. */
export type Site = {
  readonly setting: Setting;
  readonly origin: string;
  readonly browser: Browser;
  /** Answers the next requests instead of the service; undefined ends that. */
  intercept(answer: Intercept | undefined): void;
  /** Serves pages and assets by another app, such as that of another release. */
  serveBy(web: Fetch): void;
  /** Opens a page as somebody who is logged in, and expects no error and no report of the policy that the test does not name. */
  withPage(person: Person, options: WatchedOptions, use: (page: Page) => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

/** Serves the app with what it needs on one port, and starts Chromium. `host` is the name of this computer in the address. */
export async function openSite(host = "127.0.0.1"): Promise<Site> {
  const hostname = "127.0.0.1";
  const probe = await serve({ fetch: () => new Response(), hostname, port: 0, lifecycle: createLifecycle() });
  await probe.close();
  const origin = `http://${host}:${probe.port}`;
  const setting = await openSetting({ appUrl: origin });
  const lifecycle = createLifecycle();
  let answer: Intercept | undefined;
  let web = setting.fetch;
  const pages: Fetch = (request, bindings) => web(request, bindings);
  const apps = siteApps({ world: setting.world, fetch: pages }, lifecycle, (path, method) => answer?.(path, method));
  const running = await serve({ fetch: apps.fetch, hostname, port: probe.port, lifecycle });
  const browser = await startChromium();
  return {
    setting,
    origin,
    browser,
    intercept: (next) => {
      answer = next;
    },
    serveBy: (next) => {
      web = next;
    },
    withPage: (person, options, use) => withPage({ setting, origin, browser }, person, options, use),
    close: async () => {
      await browser.close();
      await running.close();
      apps.close();
      await setting.close();
    },
  };
}

/** Serves the pages, the API, the assistants' endpoint and the log-in on one origin, as `kb start` does. */
function siteApps(
  { world: { service }, fetch }: Pick<Setting, "world" | "fetch">,
  lifecycle: ReturnType<typeof createLifecycle>,
  intercept: Intercept,
): { readonly fetch: Fetch; close(): void } {
  const logger = createLogger({ app: "site", level: "silent" });
  const streaming = openStreaming(service, { lifecycle, logger });
  const edge = { service, logger, lifecycle, streaming, clientIp: clientIp([]), limiter: processLimiter() };
  const api = createApi({ ...edge, perMinute: 10_000 });
  const mcp = createMcp({ ...edge, perMinute: 10_000, outgoing: guardedFetch() });
  const oauth = createOauth({ ...edge, secret: testSecret });
  const appOf = (pathname: string): Fetch => {
    const isBelow = (path: string): boolean => pathname === path || pathname.startsWith(`${path}/`);
    if (mcpPaths.some(isBelow)) return mcp.app.fetch;
    if (oauthPaths.some(isBelow)) return oauth.fetch;
    return apiPaths.some(isBelow) ? api.fetch : fetch;
  };
  return {
    fetch: (request, bindings) => {
      const { pathname } = new URL(request.url);
      return intercept(pathname, request.method) ?? appOf(pathname)(request, bindings);
    },
    close: () => {
      streaming.close();
      mcp.close();
    },
  };
}

async function withPage(
  { setting, origin, browser }: Pick<Site, "setting" | "origin" | "browser">,
  person: Person,
  options: WatchedOptions,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  await withWatchedContext(browser, options, async (context) => {
    const { token } = await setting.world.session(person);
    await context.addCookies([{ name: "kb_session", value: token, url: origin, httpOnly: true, sameSite: "Lax" }]);
    await use(await context.newPage());
  });
}

/** Waits until the app has taken over the page. */
export const started = (page: Page): Promise<void> => page.locator(".bar-search button").waitFor();

/** Waits until the app has no call under way and plans no refresh. */
export const settled = (page: Page): Promise<void> => page.locator("html[data-settled=true]").waitFor();

/** Returns the names of the entries of the menu that is open. */
export async function menuEntries(page: Page): Promise<string[]> {
  await page.getByRole("menuitem").first().waitFor();
  return page.locator("[role=menuitem] [slot=label]").allTextContents();
}

/** Waits until Enter takes the entry with this name: the list of a picker has it, and the field points at it. */
export async function chosen(page: Page, name: string): Promise<void> {
  await page.locator("[role=menuitem][data-focused]", { hasText: name }).waitFor();
}
