import { admin } from "@kb/core";
import { addPerson, givePasskey } from "@kb/core/testing";
import { inspect, languageShapes, timeout } from "@kb/testing/chromium";
import { addVirtualAuthenticator } from "@kb/testing/virtual-authenticator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Chromium, openChromium } from "./chromium.ts";
import { password } from "./setting.ts";

describe("the pages that ask for a passkey, in Chromium", () => {
  let chromium: Chromium;
  beforeAll(async () => {
    chromium = await openChromium({ host: "localhost" });
  }, timeout);
  afterAll(() => chromium?.close(), timeout);

  /** Somebody new with a passkey on a device that is not at hand. */
  const newPerson = async () => {
    const { world } = chromium.setting;
    const person = await addPerson(world, "Members");
    await admin.setPassword(world.service, person.email, password);
    await givePasskey(world, person);
    return person;
  };

  it("without script, the log-in offers the password, and the second step a recovery code", {
    meta: { proves: ["onboarding.passkeys.page"] },
    timeout: 3 * timeout,
  }, async () => {
    const { email } = await newPerson();
    await chromium.withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(`${chromium.origin}/login`);
      await page.getByRole("button", { name: "Log in with a passkey" }).click();
      await page.getByText("A passkey needs JavaScript").waitFor();
      expect(await page.getByRole("button").count()).toBe(0);
      await page.getByRole("link", { name: "Log in with your password" }).click();
      await page.locator("input[name=email]").fill(email);
      await page.locator("input[name=password]").fill(password);
      await page.keyboard.press("Enter");
      await page.getByLabel("Recovery code").waitFor();
      expect(await page.getByRole("button").count()).toBe(1);
    });
  });

  it.each(languageShapes)(
    "axe-core finds no problem, $width pixels wide, $scheme, in $language, and nothing is cut off",
    { meta: { proves: ["onboarding.passkeys.page"] }, timeout: 3 * timeout },
    async ({ width, scheme, language }) => {
      const { email } = await newPerson();
      const options = { viewport: { width, height: 800 }, colorScheme: scheme, locale: language };
      await chromium.withPage(options, async (page) => {
        const look = (name: string): Promise<void> => inspect(page, `${name}-${language}`, { width, scheme });
        await addVirtualAuthenticator(page);
        await page.goto(`${chromium.origin}/login`);
        await look("log-in-with-passkeys");
        await page.locator('form[action="/login/passkey"] button').click();
        // The device has no passkey for this site.
        await page.locator("#passkey-problem").waitFor();
        await look("passkey-problem");
        await page.locator("p.small a").click();
        await page.locator("input[name=email]").fill(email);
        await page.locator("input[name=password]").fill(password);
        await page.keyboard.press("Enter");
        await page.locator("form[data-passkey] button").waitFor();
        await look("second-step-with-passkey");
      });
    },
  );
});
