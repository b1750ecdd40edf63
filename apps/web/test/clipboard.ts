import type { Page } from "playwright-core";

/** Takes the clipboard away from the pages that are opened from now on, as a browser does over plain HTTP. */
export const withoutClipboard = (page: Page): Promise<unknown> =>
  page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));

/** Refuses the browser's own command to copy too. */
export const withoutCopying = (page: Page): Promise<unknown> =>
  page.addInitScript(() => Object.defineProperty(document, "execCommand", { value: () => false }));
