import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createLifecycle, serve } from "@kb/http";
import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { openSetting, password, type Setting } from "./setting.ts";

const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
/** Where to leave pictures of the pages; none are taken without it. */
const pictures = process.env.KB_TEST_PICTURES;

/** What a test in a browser may take. */
export const timeout = 60_000;

/** The pages, served on a port of their own, and a Chromium that looks at them. */
export type Chromium = {
  readonly setting: Setting;
  readonly origin: string;
  /** Opens a page in a browser that knows nothing yet. */
  withPage(options: BrowserContextOptions, use: (page: Page) => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

/** Serves the pages and starts Chromium; `args` are further switches of it. */
export async function openChromium(
  options: Parameters<typeof openSetting>[0] = {},
  args: readonly string[] = [],
): Promise<Chromium> {
  if (!existsSync(executablePath)) throw new Error(`No Chromium at ${executablePath}: set CHROMIUM_PATH`);
  const hostname = "127.0.0.1";
  const lifecycle = createLifecycle();
  // The address is in the forms' checks: a free port is found first.
  const probe = await serve({ fetch: () => new Response(), hostname, port: 0, lifecycle: createLifecycle() });
  await probe.close();
  const origin = `http://${hostname}:${probe.port}`;
  const setting = await openSetting({ appUrl: origin, ...options });
  const running = await serve({ fetch: setting.app.fetch, hostname, port: probe.port, lifecycle });
  const browser: Browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", ...args] });
  return {
    setting,
    origin,
    async withPage(given, use) {
      const context = await browser.newContext(given);
      try {
        await use(await context.newPage());
      } finally {
        await context.close();
      }
    },
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

/** The widths of a phone and of a desk, each in the light and in the dark. */
export const shapes = [320, 1280].flatMap((width) => (["light", "dark"] as const).map((scheme) => ({ width, scheme })));

/** What axe-core says in the page. */
type Verdict = { violations: { id: string; nodes: { html: string }[] }[]; passes: unknown[] };

/** Expects that axe-core finds nothing and nothing is cut off; leaves a picture where one is wanted. */
export async function inspect(page: Page, name: string, { width, scheme }: (typeof shapes)[number]): Promise<void> {
  const where = `${name} at ${width} in the ${scheme}`;
  await page.evaluate(axe.source);
  const verdict: Verdict = await page.evaluate("axe.run({ resultTypes: ['violations'] })");
  const found = verdict.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
  expect(found, where).toEqual([]);
  expect(verdict.passes.length, where).toBeGreaterThan(5);
  const [inner, outer] = await page.evaluate<[number, number]>(
    "[document.documentElement.scrollWidth, document.documentElement.clientWidth]",
  );
  expect(inner, where).toBeLessThanOrEqual(outer);
  if (pictures === undefined) return;
  await mkdir(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}-${width}-${scheme}.png`), fullPage: true });
}
