import { timeout } from "@kb/testing/chromium";
import { expect, it } from "vitest";
import { settled, started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();
const { people } = site.setting.world;

it("a list without drafts offers a new document to those who may write one, and to nobody else", {
  meta: { proves: ["web.abilities"] },
  timeout,
}, async () => {
  // The team of the first one has no draft; the second one sees none.
  for (const [person, count] of [
    [people.outsider, 1],
    [people.viewer, 0],
  ] as const) {
    await site.withPage(person, {}, async (page) => {
      await page.goto(`${site.origin}/drafts`);
      await started(page);
      const main = page.getByRole("main");
      await main.getByText("No drafts.").waitFor();
      await settled(page);
      expect(await main.getByRole("button", { name: "New document" }).count()).toBe(count);
    });
  }
});
