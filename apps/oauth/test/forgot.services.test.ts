import { sealer } from "@kb/auth";
import { mailContentOf, mailResetLinks } from "@kb/core";
import { testSecret } from "@kb/core/testing";
import { inspect, languageShapes, timeout } from "@kb/testing/chromium";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Chromium, fillIn, openChromium } from "./chromium.ts";

describe("the pages of forgotten passwords, in Chromium", () => {
  let chromium: Chromium;
  const mail = { sealer: sealer(testSecret, "mails") };
  beforeAll(async () => {
    chromium = await openChromium({ mail });
  }, timeout);
  beforeEach(() => chromium.setting.clock.advance(25 * 60 * 60_000));
  afterAll(() => chromium?.close(), timeout);

  /** Answers the requests as a worker does, and returns the link in the latest mail. */
  const mailedLink = async (): Promise<string> => {
    const { world } = chromium.setting;
    await mailResetLinks({ ...world.service, mail }, 50);
    const where = { teamId: world.teamId, status: "pending" };
    const row = await world.service.database.client.mail.findFirstOrThrow({ where, orderBy: { createdAt: "desc" } });
    return mailContentOf({ ...row, obsolete: false }, mail, chromium.origin)?.link ?? "";
  };

  it("without script and only by keyboard: from the log-in page over the mail to a new password and back", {
    meta: { proves: ["onboarding.reset.page"] },
    timeout: 3 * timeout,
  }, async () => {
    await chromium.withPage({ javaScriptEnabled: false }, async (page) => {
      const { email, name } = chromium.setting.world.people.member;
      await page.goto(`${chromium.origin}/login`);
      await page.getByRole("link", { name: "Forgotten password?" }).focus();
      await page.keyboard.press("Enter");
      await page.locator("input[name=email]:focus").waitFor();
      await page.keyboard.type(email);
      await page.keyboard.press("Enter");
      expect(await page.getByRole("status").textContent()).toContain("If there is an account");
      await page.goto(await mailedLink());
      await page.locator("input[name=password]:focus").waitFor();
      await page.keyboard.type("a brand new password");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Your password is set" }).waitFor();
      await page.goto(`${chromium.origin}/login?return_to=%2Flogout`);
      await fillIn(page, email, "a brand new password");
      expect(await page.textContent("main")).toContain(name);
    });
  });

  it.each(languageShapes)(
    "axe-core finds no problem, $width pixels wide, $scheme, in $language, and nothing is cut off",
    { meta: { proves: ["onboarding.reset.page"] }, timeout: 3 * timeout },
    async ({ width, scheme, language }) => {
      const options = { viewport: { width, height: 800 }, colorScheme: scheme, locale: language };
      await chromium.withPage(options, async (page) => {
        const look = (name: string): Promise<void> => inspect(page, `${name}-${language}`, { width, scheme });
        await page.goto(`${chromium.origin}/forgot`);
        expect(await page.locator("html").getAttribute("dir")).toBe(language === "ar" ? "rtl" : "ltr");
        await look("forgot");
        await page.locator("input[name=email]").fill(chromium.setting.world.people.viewer.email);
        await page.locator("button").click();
        await page.getByRole("status").waitFor();
        await look("forgot-sent");
        const link = await mailedLink();
        await page.goto(link);
        await look("reset");
        await page.locator("input[name=password]").fill("iloveyou1");
        await page.locator("button").click();
        await page.getByRole("alert").waitFor();
        await look("reset-problem");
        await page.locator("input[name=password]").fill("a password of a length");
        await page.locator("button").click();
        await page.getByRole("status").waitFor();
        await look("reset-done");
        await page.goto(link);
        await look("reset-invalid");
      });
    },
  );
});
