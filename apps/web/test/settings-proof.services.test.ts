import { admin, operations } from "@kb/core";
import { addPerson, callerOf, type Person } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSite, type Site, started } from "./site.ts";
import { openCollection } from "./tree-world.ts";

const password = "a password of a length";

describe("the confirmation before changes of keys, people and access, in Chromium", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close(), timeout);

  /** Makes the log-ins of a person older than a proof counts. */
  const age = async ({ id: userId }: Person): Promise<void> => {
    const { service, teamId } = site.setting.world;
    const createdAt = new Date(Date.now() - 16 * 60_000);
    await service.database.client.browserSession.updateMany({ where: { teamId, userId }, data: { createdAt } });
  };
  const keysOf = async ({ id: userId }: Person): Promise<string[]> => {
    const { service, teamId } = site.setting.world;
    const rows = await service.database.client.apiKey.findMany({ where: { teamId, userId }, select: { name: true } });
    return rows.map(({ name }) => name);
  };
  const askForKey = async (page: Page, name: string): Promise<void> => {
    await page.goto(`${site.origin}/settings/keys/new`);
    await started(page);
    await page.getByLabel("Name").fill(name);
    await page.getByRole("button", { name: "Create key" }).click();
  };
  const confirmation = (page: Page) => page.getByRole("dialog", { name: "Confirm that it is you" });

  it("asks for the password in the middle of it, and then does what was asked", {
    meta: { proves: ["onboarding.proof.asked", "onboarding.proof.kinds"] },
    timeout: 3 * timeout,
  }, async () => {
    const person = await addPerson(site.setting.world, "Members");
    await admin.setPassword(site.setting.world.service, person.email, password);
    await site.withPage(person, { expected: [/status of 40[03]/] }, async (page) => {
      await age(person);
      await askForKey(page, "After a while");
      const dialog = confirmation(page);
      await dialog.getByLabel("Current password").fill("not my password");
      await page.keyboard.press("Enter");
      await dialog.getByText("Is not your current password.").waitFor();
      expect(await keysOf(person)).not.toContain("After a while");
      await dialog.getByLabel("Current password").fill(password);
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "I’ve saved it" }).click();
      expect(await keysOf(person)).toContain("After a while");
    });
  });

  it("keeps what was typed when somebody cancels, and says that nothing was done", {
    meta: { proves: ["onboarding.proof.asked"] },
    timeout: 2 * timeout,
  }, async () => {
    const person = await addPerson(site.setting.world, "Members");
    await admin.setPassword(site.setting.world.service, person.email, password);
    await site.withPage(person, { expected: [/status of 403/] }, async (page) => {
      await age(person);
      await askForKey(page, "Never");
      await confirmation(page).getByRole("button", { name: "Cancel" }).click();
      await page.getByText("Not done, because you did not confirm that it is you.").waitFor();
      expect(await page.getByLabel("Name").inputValue()).toBe("Never");
      expect(await keysOf(person)).not.toContain("Never");
    });
  });

  it("is answered by mouse in front of another dialog, which stays open", {
    meta: { proves: ["onboarding.proof.asked", "web.collection.access"] },
    timeout: 2 * timeout,
  }, async () => {
    const { world } = site.setting;
    const id = await openCollection(world, "Access after a while");
    const boss = callerOf(world, await world.session(world.people.admin));
    const person = await addPerson(world, "Admins");
    await boss.run(operations.setGrant, { id, userId: person.id, level: "manage" });
    await admin.setPassword(world.service, person.email, password);
    await site.withPage(
      person,
      { viewport: { width: 1280, height: 900 }, expected: [/status of 403/] },
      async (page) => {
        await age(person);
        await page.goto(`${site.origin}/collections/${id}`);
        await started(page);
        await page
          .getByRole("main")
          .getByRole("button", { name: /^Actions for/ })
          .click();
        await page.getByRole("menuitem", { name: "Who has access" }).click();
        const access = page.getByRole("dialog", { name: /^Who has access to/ });
        const everybody = access.getByRole("combobox", { name: /Everybody in the team/ });
        await everybody.selectOption("read");
        const dialog = confirmation(page);
        await dialog.getByLabel("Current password").click();
        await dialog.getByRole("button", { name: "Cancel" }).click();
        await dialog.waitFor({ state: "detached" });
        await access.getByText("Not done, because you did not confirm that it is you.").waitFor();
        await everybody.selectOption("read");
        await dialog.getByLabel("Current password").click();
        await page.keyboard.type(password);
        await dialog.getByRole("button", { name: "Confirm" }).click();
        await dialog.waitFor({ state: "detached" });
        const stored = async () => (await boss.run(operations.listGrants, { id })).defaultAccess;
        await expect.poll(stored).toBe("read");
        expect(await access.isVisible()).toBe(true);
      },
    );
  });

  it("can be cancelled while the kind of the question does not load", {
    meta: { proves: ["onboarding.proof.asked"] },
    timeout: 2 * timeout,
  }, async () => {
    const person = await addPerson(site.setting.world, "Members");
    await site.withPage(person, { expected: [/status of (?:403|503)/] }, async (page) => {
      await age(person);
      site.intercept((path) =>
        path.endsWith("/auth.secondFactor.info")
          ? Response.json({ error: "The service is busy.", code: "unavailable" }, { status: 503 })
          : undefined,
      );
      await askForKey(page, "Not loaded");
      await confirmation(page).getByRole("button", { name: "Cancel" }).click();
      await page.getByText("Not done, because you did not confirm that it is you.").waitFor();
      site.intercept(undefined);
    });
  });

  it.each([
    ["without a password", undefined],
    ["who forgot their password", password],
  ])(
    "goes on after another log-in of somebody %s, when they come back to the page",
    {
      meta: { proves: ["onboarding.proof.kinds"] },
      timeout: 2 * timeout,
    },
    async (_, forgotten) => {
      const { world } = site.setting;
      const person = await addPerson(world, "Members");
      if (forgotten !== undefined) await admin.setPassword(world.service, person.email, forgotten);
      await site.withPage(person, { expected: [/status of 403/] }, async (page) => {
        await age(person);
        await askForKey(page, "After another log-in");
        const dialog = confirmation(page);
        const link = dialog.getByRole("link", { name: "Log in again" });
        expect(await link.getAttribute("href")).toBe("/login?return_to=/logged-in&other=1");
        const comeBack = async (): Promise<void> => {
          const looked = page.waitForResponse(/app\.boot$/);
          await page.evaluate(() => dispatchEvent(new Event("focus")));
          await (await looked).finished();
        };
        await comeBack();
        await link.waitFor();
        const { token } = await world.session(person);
        const cookie = { name: "kb_session", value: token, url: site.origin, httpOnly: true, sameSite: "Lax" as const };
        await page.context().addCookies([cookie]);
        await comeBack();
        await dialog.waitFor({ state: "detached" });
        await page.getByRole("button", { name: "I’ve saved it" }).click();
        expect(await keysOf(person)).toContain("After another log-in");
      });
    },
  );
});
