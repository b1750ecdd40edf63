import { admin } from "@kb/core";
import { inspect, shapes, timeout } from "@kb/testing/chromium";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Chromium, openChromium } from "./chromium.ts";

describe("the page of the first start, in Chromium", () => {
  let chromium: Chromium;
  let code: string;
  beforeAll(async () => {
    chromium = await openChromium();
  }, 3 * timeout);
  beforeEach(async () => {
    const { world } = chromium.setting;
    const where = { teamId_id: { teamId: world.teamId, id: world.people.admin.id } };
    const { email } = await world.service.database.client.user.findUniqueOrThrow({ where });
    code = await admin.issueSetupCode(world.service, email);
  });
  afterAll(() => chromium?.close(), timeout);

  it.each(shapes)(
    "axe-core finds no problem, $width pixels wide, $scheme, and nothing is cut off",
    { meta: { proves: ["onboarding.setup.page"] }, timeout: 2 * timeout },
    async ({ width, scheme }) => {
      await chromium.withPage({ viewport: { width, height: 800 }, colorScheme: scheme }, async (page) => {
        await page.goto(`${chromium.origin}/setup`);
        await inspect(page, "setup", { width, scheme });
        await page.getByLabel("Code").fill("wrong");
        await page.getByLabel("Name of the team").fill("Otters");
        await page.getByLabel("Your name").fill("Ada");
        await page.getByLabel("E-mail address").fill("ada@otters.example");
        await page.getByLabel("Password").fill("quiet river under seven bridges");
        await page.getByRole("button", { name: "Set up the team" }).click();
        await page.getByRole("alert").waitFor();
        await inspect(page, "setup-refused", { width, scheme });
      });
    },
  );

  it("without script and only by keyboard: the code has the focus, and the admin is logged in", {
    meta: { proves: ["onboarding.setup.page"] },
    timeout: 3 * timeout,
  }, async () => {
    await chromium.withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(`${chromium.origin}/setup`);
      await page.locator("input[name=code]:focus").waitFor();
      for (const text of [code, "Otters", "Ada", "ada@otters.example"]) {
        await page.keyboard.type(text);
        await page.keyboard.press("Tab");
      }
      await page.keyboard.type("quiet river under seven bridges");
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.pathname !== "/setup");
      expect((await page.context().cookies()).map(({ name }) => name)).toContain("kb_session");
      expect((await page.goto(`${chromium.origin}/setup`))?.status()).toBe(404);
    });
  });
});
