let navigated = false;

/** Records that the reader has moved within the app, so that the page is no longer the one that the server sent. */
export function recordNavigation(): void {
  navigated = true;
}

/** Returns whether the reader has moved within the app. The first page keeps the browser's own focus. */
export const hasNavigated = (): boolean => navigated;
