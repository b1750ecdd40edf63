import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChromium, timeout } from "./chromium.ts";
import { type WatchedOptions, withWatchedContext } from "./page-problems.ts";

const address = "http://page.example/";
const policy = "default-src 'none'; script-src 'self'; require-trusted-types-for 'script'";

/** The script of a page, and the text of the problem. */
const problems: readonly (readonly [what: string, script: string, reads: RegExp])[] = [
  ["an uncaught error", "setTimeout(() => { throw new Error('broken'); })", /uncaught: broken/],
  ["a rejected promise", "void Promise.reject(new Error('unkept'))", /uncaught: unkept/],
  ["an error on the console", "console.error('wrong')", /error: wrong/],
  ["a warning on the console", "console.warn('doubtful')", /warning: doubtful/],
  ["a style in the page", "document.head.append(document.createElement('style'))", /policy: style-src/],
  [
    "an attribute with a script",
    "try { document.body.setAttribute('onclick', '1'); } catch {}",
    /policy: require-trusted-types-for/,
  ],
  ["an address elsewhere", "fetch('https://elsewhere.example/').catch(() => {})", /policy: connect-src/],
];

describe("the problems of a page in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  }, timeout);
  afterAll(() => browser?.close(), timeout);

  /** Opens a page under the policy that runs the script. */
  const run = (script: string, options: WatchedOptions = {}): Promise<void> =>
    withWatchedContext(browser, options, async (context) => {
      const page = await context.newPage();
      await context.route("**/*", (route) =>
        route.request().url().endsWith(".js")
          ? route.fulfill({
              contentType: "text/javascript",
              body: `${script}; setTimeout(() => { document.title = "ran"; });`,
            })
          : route.fulfill({
              contentType: "text/html",
              headers: { "Content-Security-Policy": policy },
              body: '<!doctype html><title>page</title><body><script src="/run.js"></script>',
            }),
      );
      await page.goto(address);
      await page.waitForFunction(() => document.title === "ran");
    });

  it.for(problems)("a test fails on %s, unless it names it", { timeout }, async ([, script, reads]) => {
    await expect(run(script)).rejects.toThrow(reads);
    await run(script, { possible: [reads, /Content Security Policy|TrustedHTML|TrustedScript/] });
  });

  it("a page without problems passes, and a problem that is expected has to occur", { timeout }, async () => {
    await run("");
    await expect(run("", { expected: [/never/] })).rejects.toThrow("did not occur");
  });
});
