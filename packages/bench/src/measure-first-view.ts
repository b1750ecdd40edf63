import type { Browser, CDPSession, Page } from "playwright-core";

/** The first view of a page by a browser that has nothing of it yet. Times are from the start of the navigation. */
export type FirstView = {
  readonly firstPaintMs: number;
  /** The largest part of the article that the first window shows was painted. */
  readonly articlePaintMs: number;
  /** The app had taken over the page. */
  readonly usableMs: number;
  readonly layoutShift: number;
  /** Compressed bytes of scripts, and of everything, headers included. */
  readonly scriptBytes: number;
  readonly bytes: number;
  /** Requests until the app was usable, without the stream of changes. */
  readonly requests: number;
};

const slow4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1_000_000) / 8,
  uploadThroughput: (0.75 * 1_000_000) / 8,
};
const processorRate = 4;
const longestMs = 60_000;

/** Opens the page once over slow 4G with a four times slower processor, as the user of a session. */
export async function measureFirstView(browser: Browser, url: string, token: string): Promise<FirstView> {
  const context = await browser.newContext({ viewport: { width: 412, height: 915 } });
  try {
    const { origin } = new URL(url);
    await context.addCookies([{ name: "kb_session", value: token, url: origin, httpOnly: true, sameSite: "Lax" }]);
    await context.addInitScript(recordPaints);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const traffic = await slowDown(session);
    await page.goto(url, { waitUntil: "commit", timeout: longestMs });
    await page.waitForFunction(() => Reflect.get(globalThis, "seen").usableMs > 0, undefined, { timeout: longestMs });
    return { ...(await readPaints(page)), ...traffic() };
  } finally {
    await context.close();
  }
}

/** Limits network and processor; returns a function that reads what was received until then. */
async function slowDown(session: CDPSession): Promise<() => Pick<FirstView, "scriptBytes" | "bytes" | "requests">> {
  const kinds = new Map<string, string>();
  let scriptBytes = 0;
  let bytes = 0;
  session.on("Network.responseReceived", ({ requestId, type }) => kinds.set(requestId, type));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    bytes += encodedDataLength;
    if (kinds.get(requestId) === "Script") scriptBytes += encodedDataLength;
  });
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", slow4G);
  await session.send("Emulation.setCPUThrottlingRate", { rate: processorRate });
  return () => ({ scriptBytes, bytes, requests: [...kinds.values()].filter((kind) => kind !== "EventSource").length });
}

/** Runs in the page before anything of it. */
function recordPaints(): void {
  const seen = { firstPaintMs: 0, articlePaintMs: 0, usableMs: 0, layoutShift: 0 };
  Object.assign(globalThis, { seen });
  const observe = (type: string, read: (entry: PerformanceEntry) => void): void =>
    new PerformanceObserver((list) => list.getEntries().forEach(read)).observe({ type, buffered: true });
  observe("paint", ({ name, startTime }) => {
    if (name === "first-contentful-paint") seen.firstPaintMs = startTime;
  });
  observe("largest-contentful-paint", (entry) => {
    const element: unknown = Reflect.get(entry, "element");
    if (element instanceof Element && element.closest("article") !== null) seen.articlePaintMs ||= entry.startTime;
  });
  observe("layout-shift", (entry) => {
    seen.layoutShift += Number(Reflect.get(entry, "value"));
  });
  new MutationObserver((_, observer) => {
    if (document.querySelector(".bar-search button") === null) return;
    seen.usableMs = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
}

const readPaints = (page: Page): Promise<Omit<FirstView, "scriptBytes" | "bytes" | "requests">> =>
  page.evaluate(() => Reflect.get(globalThis, "seen"));
