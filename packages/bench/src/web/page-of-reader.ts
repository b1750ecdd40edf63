import type { Page } from "playwright-core";
import type { BenchSite } from "./open-bench-site.ts";

const desk = { viewport: { width: 1280, height: 900 } };

/** Opens a page of a desk's size for the reader of the site, in a context of its own, with or without script. Returns what `use` returns. */
export async function withPage<Result>(
  site: BenchSite,
  use: (page: Page) => Promise<Result>,
  { javaScriptEnabled = true } = {},
): Promise<Result> {
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
    return await use(await context.newPage());
  } finally {
    await context.close();
  }
}
