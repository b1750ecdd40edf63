import type { Page } from "playwright-core";

/** The sign of a page that the app has taken over. */
export const startedSelector = ".bar-search button";

/** Waits until the app has taken over a page. */
export const started = (page: Page): Promise<void> => page.locator(startedSelector).waitFor();

/** Waits until the app has no request under way. */
export const settled = (page: Page): Promise<void> => page.locator("html[data-settled=true]").waitFor();
