import { serve } from "@kb/http";
import { createLifecycle } from "@kb/runtime";
import { startChromium } from "@kb/testing/chromium";
import { type WatchedOptions, withWatchedContext } from "@kb/testing/page-problems";
import type { Page } from "playwright-core";
import { openSetting, password, type Setting } from "./setting.ts";

/** The pages, served on a port of their own, and a Chromium that looks at them. */
export type Chromium = {
  readonly setting: Setting;
  readonly origin: string;
  /** Opens a page in a browser that knows nothing yet, and expects no error and no report of the policy in it. */
  withPage(options: WatchedOptions, use: (page: Page) => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

/** Serves the pages and starts Chromium; `host` is the name of this computer in the address, and `args` are further switches of Chromium. */
export async function openChromium(
  { host = "127.0.0.1", ...options }: Parameters<typeof openSetting>[0] & { readonly host?: string } = {},
  args: readonly string[] = [],
): Promise<Chromium> {
  const hostname = "127.0.0.1";
  const lifecycle = createLifecycle();
  // The address is in the forms' checks: a free port is found first.
  const probe = await serve({ fetch: () => new Response(), hostname, port: 0, lifecycle: createLifecycle() });
  await probe.close();
  const origin = `http://${host}:${probe.port}`;
  const setting = await openSetting({ appUrl: origin, ...options });
  const running = await serve({ fetch: setting.app.fetch, hostname, port: probe.port, lifecycle });
  const browser = await startChromium(args);
  return {
    setting,
    origin,
    withPage: (given, use) => withWatchedContext(browser, given, async (context) => use(await context.newPage())),
    async close() {
      await browser.close();
      await running.close();
      await setting.close();
    },
  };
}

/** Fills in the log-in page and sends it. */
export async function fillIn(page: Page, email: string, given = password): Promise<void> {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(given);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
}
