import { operations } from "@kb/core";
import { callerOf } from "@kb/core/testing";
import { newId } from "@kb/db";
import { inspect, languageShapes, timeout } from "@kb/testing/chromium";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Chromium, openChromium } from "./chromium.ts";

describe("the page of an invitation, in Chromium", () => {
  let chromium: Chromium;
  beforeAll(async () => {
    chromium = await openChromium();
  }, timeout);
  afterAll(() => chromium?.close(), timeout);

  const invite = async (): Promise<string> => {
    const { world } = chromium.setting;
    const boss = callerOf(world, await world.session(world.people.admin));
    const { invitations } = await boss.run(operations.createInvitations, { emails: [`${newId()}@example.org`] });
    return invitations[0]?.link ?? "";
  };

  it("without script and only by keyboard: the name has the focus, a leaked password is told, a better one joins", {
    meta: { proves: ["onboarding.invitation.page"] },
    timeout: 3 * timeout,
  }, async () => {
    await chromium.withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(await invite());
      await page.locator("input[name=name]:focus").waitFor();
      await page.keyboard.type("Ada");
      await page.keyboard.press("Tab");
      await page.keyboard.type("iloveyou1");
      await page.keyboard.press("Enter");
      expect(await page.getByRole("alert").textContent()).toContain("leaked");
      await page.locator("input[name=password]:focus").waitFor();
      await page.keyboard.type("a password of a length");
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => !url.pathname.startsWith("/join/"));
      const cookies = await page.context().cookies();
      expect(cookies.find((cookie) => cookie.name === "kb_session")).toMatchObject({ httpOnly: true });
    });
  });

  it.each(languageShapes)(
    "axe-core finds no problem, $width pixels wide, $scheme, in $language, and nothing is cut off",
    { meta: { proves: ["onboarding.invitation.page"] }, timeout: 3 * timeout },
    async ({ width, scheme, language }) => {
      const options = { viewport: { width, height: 800 }, colorScheme: scheme, locale: language };
      await chromium.withPage(options, async (page) => {
        const look = (name: string): Promise<void> => inspect(page, `${name}-${language}`, { width, scheme });
        const link = await invite();
        await page.goto(link);
        expect(await page.locator("html").getAttribute("dir")).toBe(language === "ar" ? "rtl" : "ltr");
        await look("join");
        await page.locator("input[name=name]").fill("Ada");
        await page.locator("input[name=password]").fill("iloveyou1");
        await page.locator("button").click();
        await page.getByRole("alert").waitFor();
        await look("join-problem");
        await page.goto(`${link.slice(0, -3)}xyz`);
        await look("join-invalid");
      });
    },
  );
});
