import { totpCode } from "@kb/auth/testing";
import { admin } from "@kb/core";
import { addPerson, giveSecondFactor, type Person } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import { addVirtualAuthenticator } from "@kb/testing/virtual-authenticator";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSite, type Site, started } from "./site.ts";

const password = "a password of a length";

describe("passkeys, with a virtual authenticator in Chromium", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite("localhost");
  });
  afterAll(() => site?.close(), timeout);

  const newPerson = async (): Promise<Person> => {
    const { world } = site.setting;
    const person = await addPerson(world, "Members");
    await admin.setPassword(world.service, person.email, password);
    return person;
  };
  const openYou = async (page: Page): Promise<void> => {
    await page.goto(`${site.origin}/settings/you`);
    await started(page);
  };
  const add = async (page: Page, name: string): Promise<void> => {
    await page.getByRole("button", { name: "Add a passkey" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a passkey" });
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByRole("button", { name: "Next" }).click();
  };
  const keepCodes = async (page: Page): Promise<string[]> => {
    const dialog = page.getByRole("dialog", { name: "Keep your recovery codes" });
    const text = await dialog.locator("output").textContent();
    await dialog.getByRole("button", { name: "I’ve saved it" }).click();
    await dialog.waitFor({ state: "detached" });
    return (text ?? "").split("\n");
  };
  const logOut = async (page: Page): Promise<void> => {
    await page.context().clearCookies();
    await page.goto(`${site.origin}/login`);
  };
  const enterPassword = async (page: Page, { email }: Person): Promise<void> => {
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Log in", exact: true }).click();
  };
  const age = async ({ id: userId }: Person): Promise<void> => {
    const { service, teamId } = site.setting.world;
    const createdAt = new Date(Date.now() - 16 * 60_000);
    const data = { createdAt, provenAt: createdAt };
    await service.database.client.browserSession.updateMany({ where: { teamId, userId }, data });
  };

  it("somebody adds one, logs in with nothing else, and with it after the password", {
    meta: { proves: ["onboarding.passkeys.manage", "onboarding.passkeys.log-in", "onboarding.passkeys.page"] },
    timeout: 4 * timeout,
  }, async () => {
    const person = await newPerson();
    await site.withPage(person, {}, async (page) => {
      const device = await addVirtualAuthenticator(page);
      await openYou(page);
      await page.getByText("You have no passkeys.").waitFor();
      await add(page, "My phone");
      expect(await keepCodes(page)).toHaveLength(10);
      await page.getByText("My phone").waitFor();
      await page.getByText("Never used").waitFor();
      expect(await device.count()).toBe(1);
      await logOut(page);
      await page.getByRole("button", { name: "Log in with a passkey" }).click();
      await page.waitForURL((url) => !url.pathname.startsWith("/login"));
      await openYou(page);
      await page.getByText("Last used").waitFor();
      await logOut(page);
      await enterPassword(page, person);
      await page.getByRole("button", { name: "Use a passkey" }).click();
      await page.waitForURL((url) => !url.pathname.startsWith("/login"));
    });
  });

  it("one that does not check its user is refused alone, and is a second step", {
    meta: { proves: ["onboarding.passkeys.log-in"] },
    timeout: 4 * timeout,
  }, async () => {
    const person = await newPerson();
    await site.withPage(person, {}, async (page) => {
      const device = await addVirtualAuthenticator(page);
      await openYou(page);
      await add(page, "Key");
      await keepCodes(page);
      await device.setUserVerified(false);
      await logOut(page);
      await page.getByRole("button", { name: "Log in with a passkey" }).click();
      await page.getByText("No passkey was used.").waitFor();
      await page.getByRole("link", { name: "Log in with your password" }).click();
      await enterPassword(page, person);
      await page.getByRole("button", { name: "Use a passkey" }).click();
      await page.waitForURL((url) => !url.pathname.startsWith("/login"));
    });
  });

  it("the second step accepts a recovery code where the passkey is not at hand", {
    meta: { proves: ["onboarding.second-factor.recovery"] },
    timeout: 4 * timeout,
  }, async () => {
    const person = await newPerson();
    await site.withPage(person, {}, async (page) => {
      await addVirtualAuthenticator(page);
      await openYou(page);
      await add(page, "Key");
      const [code = ""] = await keepCodes(page);
      await logOut(page);
      await enterPassword(page, person);
      await page.getByLabel("Recovery code").fill(code);
      await page.getByRole("button", { name: "Log in", exact: true }).click();
      await page.waitForURL((url) => !url.pathname.startsWith("/login"));
    });
  });

  it("confirms that it is its owner in the middle of something; is renamed and removed", {
    meta: { proves: ["onboarding.proof.kinds", "onboarding.passkeys.manage"] },
    timeout: 4 * timeout,
  }, async () => {
    const person = await newPerson();
    await site.withPage(person, { expected: [/status of 403/] }, async (page) => {
      const device = await addVirtualAuthenticator(page);
      await openYou(page);
      await add(page, "Old name");
      await keepCodes(page);
      await page.getByRole("button", { name: "Rename: Old name" }).click();
      const rename = page.getByRole("dialog", { name: "Rename the passkey" });
      await rename.getByLabel("Name").fill("New name");
      await rename.getByRole("button", { name: "Save name" }).click();
      await age(person);
      await page.getByRole("button", { name: "Remove: New name" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
      const proof = page.getByRole("dialog", { name: "Confirm that it is you" });
      await proof.getByLabel("Recovery code").waitFor();
      await device.setUserVerified(true);
      await proof.getByRole("button", { name: "Use a passkey" }).click();
      await page.getByText("The passkey is removed.").waitFor();
      await page.getByText("You have no passkeys.").waitFor();
      await page.getByText("It is off: you log in without a code.").waitFor();
    });
  });

  it("a device that has one for the account makes no second one, and an app may stand beside it", {
    meta: { proves: ["onboarding.passkeys.manage", "onboarding.passkeys.second-factor"] },
    timeout: 4 * timeout,
  }, async () => {
    const person = await newPerson();
    const { secret } = await giveSecondFactor(site.setting.world, person);
    await site.withPage(person, {}, async (page) => {
      const device = await addVirtualAuthenticator(page);
      await openYou(page);
      await add(page, "First");
      await page.getByText("The passkey is added.").waitFor();
      await add(page, "Second");
      await page.getByText("This device has a passkey for your account already.").waitFor();
      expect(await device.count()).toBe(1);
      await logOut(page);
      await enterPassword(page, person);
      await page.getByLabel("Code", { exact: true }).fill(totpCode(secret, new Date()));
      await page.getByRole("button", { name: "Log in", exact: true }).click();
      await page.waitForURL((url) => !url.pathname.startsWith("/login"));
    });
  });
});
