import { totpCode } from "@kb/auth/testing";
import { admin } from "@kb/core";
import { addPerson, giveSecondFactor, type TestAuthenticator } from "@kb/core/testing";
import { inspect, languageShapes, timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Chromium, openChromium } from "./chromium.ts";
import { password } from "./setting.ts";

describe("the second step of a log-in, in Chromium", () => {
  let chromium: Chromium;
  beforeAll(async () => {
    chromium = await openChromium();
  }, timeout);
  afterAll(() => chromium?.close(), timeout);

  /** Somebody new with an app, whose password the page has accepted. */
  const enterPassword = async (page: Page): Promise<TestAuthenticator> => {
    const { world } = chromium.setting;
    const person = await addPerson(world, "Members");
    await admin.setPassword(world.service, person.email, password);
    const app = await giveSecondFactor(world, person);
    await page.goto(`${chromium.origin}/login`);
    await page.locator("input[name=email]").fill(person.email);
    await page.locator("input[name=password]").fill(password);
    await page.locator("button").click();
    await page.locator("input[name=code]:focus").waitFor();
    return app;
  };

  it("without script and only by keyboard: the code has the focus, a wrong one is told, the right one logs in", {
    meta: { proves: ["onboarding.second-factor.log-in"] },
    timeout: 3 * timeout,
  }, async () => {
    await chromium.withPage({ javaScriptEnabled: false }, async (page) => {
      const { secret } = await enterPassword(page);
      await page.keyboard.type("000000");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").waitFor();
      await page.locator("input[name=code]:focus").waitFor();
      await page.keyboard.type(totpCode(secret, chromium.setting.clock.now()));
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => !url.pathname.startsWith("/login"));
      const cookies = await page.context().cookies();
      expect(cookies.find((cookie) => cookie.name === "kb_session")).toMatchObject({ httpOnly: true });
    });
  });

  it("the QR code of a team with a long name stays inside its card, 320 pixels wide", {
    timeout: 3 * timeout,
  }, async () => {
    const { world } = chromium.setting;
    const { team } = world.service.database.client;
    const where = { id: world.teamId };
    const { name } = await team.findUniqueOrThrow({ where, select: { name: true } });
    await team.update({ where, data: { name: "قاعدة معارف الفريق ".repeat(5).trim(), secondFactorRequired: true } });
    try {
      const person = await addPerson(world, "Members");
      await admin.setPassword(world.service, person.email, password);
      await chromium.withPage({ viewport: { width: 320, height: 800 } }, async (page) => {
        await page.goto(`${chromium.origin}/login`);
        await page.locator("input[name=email]").fill(person.email);
        await page.locator("input[name=password]").fill(password);
        await page.locator("button").click();
        const picture = page.locator("svg[role=img]");
        await picture.waitFor();
        const [code, card] = await Promise.all([picture.boundingBox(), page.locator("main").boundingBox()]);
        expect(code?.width).toBeCloseTo(code?.height ?? 0, 0);
        expect(card).toMatchObject({ x: 16, width: 288 });
        expect((code?.x ?? 0) + (code?.width ?? 0)).toBeLessThan(304);
        await inspect(page, "set-up-long-name-en", { width: 320, scheme: "light" });
      });
    } finally {
      await team.update({ where, data: { name, secondFactorRequired: false } });
    }
  });

  it.each(languageShapes)(
    "axe-core finds no problem, $width pixels wide, $scheme, in $language, and nothing is cut off",
    { meta: { proves: ["onboarding.second-factor.log-in"] }, timeout: 3 * timeout },
    async ({ width, scheme, language }) => {
      const options = { viewport: { width, height: 800 }, colorScheme: scheme, locale: language };
      await chromium.withPage(options, async (page) => {
        const look = (name: string): Promise<void> => inspect(page, `${name}-${language}`, { width, scheme });
        await enterPassword(page);
        expect(await page.locator("html").getAttribute("dir")).toBe(language === "ar" ? "rtl" : "ltr");
        await look("second-step");
        await page.locator("input[name=code]").fill("000000");
        await page.locator("button").click();
        await page.getByRole("alert").waitFor();
        await look("second-step-problem");
      });
    },
  );
});
