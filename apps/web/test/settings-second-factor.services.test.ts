import { totpCode } from "@kb/auth/testing";
import { admin, operations } from "@kb/core";
import { addPerson, giveSecondFactor, sessionCallerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSite, type Site, started } from "./site.ts";

describe("the second step of a log-in, in the settings in Chromium", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close(), timeout);

  const open = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${site.origin}/settings${path}`);
    await started(page);
  };
  /** Reads the recovery codes that the dialog shows once, and closes it. */
  const takeCodes = async (page: Page): Promise<string[]> => {
    const dialog = page.getByRole("dialog", { name: "Keep your recovery codes" });
    const text = await dialog.locator("output").textContent();
    await dialog.getByRole("button", { name: "I’ve saved it" }).click();
    await dialog.waitFor({ state: "detached" });
    return (text ?? "").split("\n");
  };

  it("somebody sets up an app with their password, gets new recovery codes, and turns it off again", {
    meta: { proves: ["onboarding.second-factor.set-up", "onboarding.second-factor.recovery"] },
    timeout: 3 * timeout,
  }, async () => {
    const { world } = site.setting;
    const person = await addPerson(world, "Members");
    await admin.setPassword(world.service, person.email, "a password of a length");
    await site.withPage(person, { expected: [/status of 400/] }, async (page) => {
      await open(page, "/you");
      await page.getByText("It is off: you log in without a code.").waitFor();
      await page.getByRole("button", { name: "Set up" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Current password").fill("not my password");
      await page.keyboard.press("Enter");
      await dialog.getByText("Is not your current password.").waitFor();
      await dialog.getByLabel("Current password").fill("a password of a length");
      await page.keyboard.press("Enter");
      await dialog.getByRole("img", { name: "QR code with the key" }).waitFor();
      const secret = (await dialog.locator("output").textContent()) ?? "";
      const code = dialog.getByLabel("Code from the app");
      await code.fill("000000");
      await page.keyboard.press("Enter");
      await dialog.getByText(/Is not the current code of the app/).waitFor();
      await code.fill(totpCode(secret, new Date()));
      await page.keyboard.press("Enter");
      const first = await takeCodes(page);
      expect(first).toHaveLength(10);
      await page.getByText("10 codes").waitFor();
      await page.getByRole("button", { name: "New recovery codes" }).click();
      await dialog.getByLabel("Code", { exact: true }).fill(first[0] ?? "");
      await dialog.getByRole("button", { name: "New recovery codes" }).click();
      const second = await takeCodes(page);
      expect(second.filter((each) => first.includes(each))).toEqual([]);
      await page.getByRole("button", { name: "Turn off" }).click();
      await dialog.getByLabel("Code", { exact: true }).fill(second[0] ?? "");
      await dialog.getByRole("button", { name: "Turn off" }).click();
      await page.getByText("The app is removed.").waitFor();
      await page.getByText("It is off: you log in without a code.").waitFor();
    });
  });

  it("somebody without a password goes on to the key at once", {
    meta: { proves: ["onboarding.second-factor.set-up"] },
    timeout: 2 * timeout,
  }, async () => {
    const person = await addPerson(site.setting.world, "Members");
    await site.withPage(person, {}, async (page) => {
      await open(page, "/you");
      await page.getByRole("button", { name: "Set up" }).click();
      await page.getByRole("dialog").getByRole("img", { name: "QR code with the key" }).waitFor();
    });
  });

  it("an admin sees who has a second step, and removes it for somebody who lost their phone", {
    meta: { proves: ["onboarding.second-factor.lost"] },
    timeout: 2 * timeout,
  }, async () => {
    const { world } = site.setting;
    const person = await addPerson(world, "Viewers");
    await giveSecondFactor(world, person);
    await site.withPage(world.people.admin, {}, async (page) => {
      await open(page, "/people?query=new+of+viewers");
      const row = page.locator(".settings-content .rows > li", { hasText: person.email });
      await row.getByText("Second step", { exact: true }).waitFor();
      await row.getByRole("button", { name: /^Remove second step of/ }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove second step" }).click();
      await page.getByText(/logs in without a code/).waitFor();
      await row.getByText("Second step", { exact: true }).waitFor({ state: "detached" });
    });
    const boss = await sessionCallerOf(world, world.people.admin);
    const { data } = await boss.run(operations.listUsers, { query: person.email });
    expect(data).toMatchObject([{ id: person.id, hasSecondFactor: false }]);
  });
});
