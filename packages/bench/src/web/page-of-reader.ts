import type { Page } from "playwright-core";
import type { BenchSite } from "./open-bench-site.ts";

const desk = { viewport: { width: 1280, height: 900 } };

/** Opens a page of a desk's size for the reader of the site, in a context of its own, with or without script. */
export async function withPage(
  site: BenchSite,
  use: (page: Page) => Promise<void>,
  javaScriptEnabled = true,
): Promise<void> {
  const context = await site.browser.newContext({ ...desk, javaScriptEnabled });
  try {
    const cookie = {
      name: "kb_session",
      value: site.token,
      url: site.origin,
      httpOnly: true,
      sameSite: "Lax" as const,
    };
    await context.addCookies([cookie]);
    await use(await context.newPage());
  } finally {
    await context.close();
  }
}
