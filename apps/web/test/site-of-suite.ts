import { timeout } from "@kb/testing/chromium";
import { afterAll } from "vitest";
import { openSite, type Site } from "./site.ts";

/** Opens a site for the tests of one file, and closes it after them. Await it outside of tests and hooks. */
export async function siteOfSuite(): Promise<Site> {
  const site = await openSite();
  afterAll(() => site.close(), timeout);
  return site;
}
