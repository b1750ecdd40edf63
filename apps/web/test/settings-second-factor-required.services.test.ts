import { totpCode } from "@kb/auth/testing";
import { admin } from "@kb/core";
import { addPerson, giveSecondFactor } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSite, type Site, started } from "./site.ts";

const password = "a password of a length";

describe("a team that requires a second step, in Chromium", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close(), timeout);

  const open = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${site.origin}/settings${path}`);
    await started(page);
  };

  it("an admin with a second step switches it on, and a member is logged out and sets it up when they log in", {
    meta: { proves: ["onboarding.second-factor.switch", "onboarding.second-factor.required"] },
    timeout: 4 * timeout,
  }, async () => {
    const { world } = site.setting;
    const { admin: boss } = world.people;
    const person = await addPerson(world, "Members");
    await admin.setPassword(world.service, person.email, password);
    await site.withPage(person, {}, async (page) => {
      await open(page, "/you");
      // No page of the app is open while the session ends: this is about the next one.
      await page.goto("about:blank");
      await site.withPage(boss, {}, async (ofBoss) => {
        await open(ofBoss, "/team");
        await ofBoss.getByText(/Set up your own second step/).waitFor();
        expect(await ofBoss.getByRole("button", { name: "Require a second step" }).count()).toBe(0);
        await giveSecondFactor(world, boss);
        await open(ofBoss, "/team");
        await ofBoss.getByRole("button", { name: "Require a second step" }).click();
        await ofBoss.getByRole("dialog").getByRole("button", { name: "Require a second step" }).click();
        await ofBoss.getByText(/^Everybody needs a second step/).waitFor();
      });
      await page.goto(`${site.origin}/settings/you`);
      expect(new URL(page.url()).pathname).toBe("/login");
      await page.getByLabel("E-mail address").fill(person.email);
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Log in", exact: true }).click();
      await page.getByRole("img", { name: "QR code with the key" }).waitFor();
      const key = (await page.locator("main code").first().textContent()) ?? "";
      await page.getByLabel("Code from the app").fill(totpCode(key, new Date()));
      await page.getByRole("button", { name: "Switch on and log in" }).click();
      await page.getByRole("heading", { name: "Keep your recovery codes" }).waitFor();
      expect(await page.locator("main li code").count()).toBe(10);
      await page.getByRole("link", { name: "I have saved them: continue" }).click();
      await started(page);
      await page.getByText("Your team requires it of everybody.").waitFor();
      expect(await page.getByRole("button", { name: "Turn off" }).count()).toBe(0);
    });
  });
});
