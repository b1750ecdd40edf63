import { admin } from "@kb/core";
import { addPerson } from "@kb/core/testing";
import { newId } from "@kb/db";
import { inspect, timeout } from "@kb/testing/chromium";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSite, type Site, started } from "./site.ts";

describe("the change of one's e-mail address, in Chromium", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close(), timeout);

  it("somebody asks for it, an admin hands the links over, both are used, and the address is another one", {
    meta: { proves: ["onboarding.email.both", "onboarding.email.handed-over"] },
    timeout: 5 * timeout,
  }, async () => {
    const { world } = site.setting;
    const person = await addPerson(world, "Members");
    await admin.setPassword(world.service, person.email, "a password of a length");
    const email = `${newId()}@example.org`;
    const links: string[] = [];
    await site.withPage(person, { expected: [/status of 400/] }, async (page) => {
      await page.goto(`${site.origin}/settings/you`);
      await started(page);
      await page.getByRole("button", { name: "Change the address" }).click();
      const dialog = page.getByRole("dialog", { name: "Change the address" });
      await dialog.getByLabel("New address").fill(person.email);
      await page.keyboard.press("Enter");
      await dialog.getByText("Is your address already.").waitFor();
      await dialog.getByLabel("New address").fill(email);
      await page.keyboard.press("Enter");
      await page.getByText("ask an administrator of your team for the two links").waitFor();
      await inspect(page, "email-waiting", { width: 1280, scheme: "light" });
    });
    await site.withPage(world.people.admin, {}, async (page) => {
      await page.goto(`${site.origin}/settings/people`);
      await started(page);
      await page
        .getByRole("button", { name: `Make the links: ${person.name}` })
        .first()
        .click();
      const dialog = page.getByRole("dialog", { name: "Hand these links over" });
      await dialog.waitFor();
      await inspect(page, "email-links", { width: 1280, scheme: "light" });
      links.push(...(await dialog.locator("output").allTextContents()));
      await dialog.getByRole("button", { name: "I’ve saved it" }).click();
    });
    expect(links).toHaveLength(2);
    await site.withPage(person, { javaScriptEnabled: false }, async (page) => {
      for (const link of links) {
        await page.goto(link);
        await page.getByRole("button", { name: "Confirm" }).click();
        await page.getByRole("status").waitFor();
      }
      expect(await page.getByRole("heading").textContent()).toBe("The address is changed");
    });
    await site.withPage({ ...person, email }, {}, async (page) => {
      await page.goto(`${site.origin}/settings/you`);
      await started(page);
      await page.getByText(email).first().waitFor();
      await page.getByRole("button", { name: "Change the address" }).waitFor();
    });
  });

  it("is sent again and cancelled", {
    meta: { proves: ["onboarding.email.again"] },
    timeout: 3 * timeout,
  }, async () => {
    const person = await addPerson(site.setting.world, "Members");
    await site.withPage(person, {}, async (page) => {
      await page.goto(`${site.origin}/settings/you`);
      await started(page);
      await page.getByRole("button", { name: "Change the address" }).click();
      await page.getByRole("dialog").getByLabel("New address").fill(`${newId()}@example.org`);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Wait another hour" }).click();
      await page.getByText("The links are on their way.").waitFor();
      await page.getByRole("button", { name: "Cancel the change" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel the change" }).click();
      await page.getByText("The change is cancelled.").waitFor();
      await page.getByRole("button", { name: "Change the address" }).waitFor();
    });
  });
});
