import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";

/** Options for opening pages: those of a browser context, and the problems that the test causes on purpose. */
export type WatchedOptions = BrowserContextOptions & {
  /** Patterns of problems that this test expects; each has to occur. Default: none. */
  readonly expected?: readonly RegExp[];
  /** Patterns of problems that depend on the moment, such as a request that the test cuts off. Default: none. */
  readonly possible?: readonly RegExp[];
};

/**
 * Opens a context of the browser and closes it at the end. Fails if a page in it, a frame or a window opened from it reported
 * a violation of its policy, an uncaught error, or an error or warning on the console that the options do not name.
 */
export async function withWatchedContext(
  browser: Browser,
  { expected = [], possible = [], ...options }: WatchedOptions,
  use: (context: BrowserContext) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options);
  try {
    const problemsOf = await watchProblems(context);
    await use(context);
    // An answer from a page comes after everything that it has reported until then.
    await Promise.all(context.pages().map((page) => page.evaluate("0").catch(() => {})));
    const problems = problemsOf();
    const isNamed = (problem: string): boolean => [...expected, ...possible].some((pattern) => pattern.test(problem));
    const unnamed = problems.filter((problem) => !isNamed(problem));
    if (unnamed.length > 0) throw new Error(`A page reported what the test does not name:\n${unnamed.join("\n")}`);
    const missing = expected.filter((pattern) => !problems.some((problem) => pattern.test(problem)));
    if (missing.length > 0) throw new Error(`The test names problems that did not occur: ${missing.join(", ")}`);
  } finally {
    await context.close();
  }
}

/**
 * Collects the problems of every page of a context from now on: one line each, with the address that caused it. The status of
 * an address that a page itself was sent to is none, as the test looks at the page that it returned.
 */
async function watchProblems(context: BrowserContext): Promise<() => string[]> {
  const problems: { readonly text: string; readonly url: string }[] = [];
  const pages = new Set<string>();
  context.on("weberror", (error) => problems.push({ text: `uncaught: ${error.error().message}`, url: "" }));
  context.on("response", (response) => {
    if (response.request().isNavigationRequest()) pages.add(response.url());
  });
  context.on("console", (message) => {
    const isProblem = message.type() === "error" || message.type() === "warning";
    if (isProblem) problems.push({ text: `${message.type()}: ${message.text()}`, url: message.location().url });
  });
  // Chromium logs most violations itself; this one names the rule, and covers a policy that only reports.
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sample }) => {
      console.error(`policy: ${effectiveDirective} against ${blockedURI} ${sample}`);
    });
  });
  const isStatusOfPage = ({ text, url }: { text: string; url: string }): boolean =>
    text.startsWith("error: Failed to load resource: the server responded") && pages.has(url);
  return () => problems.filter((problem) => !isStatusOfPage(problem)).map(({ text, url }) => `${text} ${url}`.trim());
}
