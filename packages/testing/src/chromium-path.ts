import { existsSync } from "node:fs";

/** The whole browser, as readers have it. */
export const wholeBrowser = "/usr/bin/chromium";
/** It has no window of a browser around the page, so that a test takes a fifth less processor time. */
export const headlessShell = "/usr/bin/chromium-headless-shell";

/** Returns where Chromium is: at `CHROMIUM_PATH`, else at the first of these places that has one. @throws {Error} */
export function chromiumPath(...places: readonly string[]): string {
  const { CHROMIUM_PATH: chosen } = process.env;
  const found = (chosen === undefined ? places : [chosen]).find(existsSync);
  if (found === undefined) throw new Error(`No Chromium at ${chosen ?? places.join(" or ")}: set CHROMIUM_PATH`);
  return found;
}
