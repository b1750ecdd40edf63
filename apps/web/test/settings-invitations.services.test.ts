import { findInvitation, findPasswordReset, operations } from "@kb/core";
import { addPerson, sessionCallerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();

describe("invitations and links for passwords in Chromium, without a mail server", () => {
  const open = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${site.origin}/settings${path}`);
    await started(page);
  };
  /** Reads the links of the dialog that shows them once, and closes it. */
  const takeLinks = async (page: Page, name: RegExp): Promise<string> => {
    const dialog = page.getByRole("dialog", { name });
    const text = await dialog.locator("output").textContent();
    await dialog.getByRole("button", { name: "I’ve saved it" }).click();
    await dialog.waitFor({ state: "detached" });
    return text ?? "";
  };
  const tokenOf = (link: string): string => /\/(?:join|reset)\/(\S+)$/.exec(link)?.[1] ?? "";

  it("many are invited at once with their group, the links are handed over, one is sent again, one is revoked", {
    timeout: 3 * timeout,
  }, async () => {
    const { world } = site.setting;
    const admin = await sessionCallerOf(world, world.people.admin);
    const known = world.people.editor.email;
    await site.withPage(world.people.admin, { expected: [/status of 400/] }, async (page) => {
      await open(page, "/people");
      await page.getByRole("button", { name: "Invite people" }).click();
      const dialog = page.getByRole("dialog");
      const emails = dialog.getByLabel("E-mail addresses");
      await emails.fill("ada@example.com, nonsense");
      await dialog.getByRole("button", { name: "Invite" }).click();
      await dialog.getByText(/^nonsense: /).waitFor();
      expect(await emails.getAttribute("aria-invalid")).toBe("true");
      await emails.fill(`Ada Lovelace <ada@example.com>, grace@example.com\n${known}`);
      await dialog.getByLabel("Editors").check();
      await dialog.getByLabel("Members").uncheck();
      await dialog.getByRole("button", { name: "Invite" }).click();
      await page.getByText(`In the team already: \u2068${known}\u2069.`).waitFor();
      const lines = (await takeLinks(page, /^Links$/)).split("\n");
      expect(lines.map((line) => line.split(" ")[0])).toEqual(["ada@example.com", "grace@example.com"]);
      const first = tokenOf(lines[0] ?? "");
      expect(await findInvitation(world.service, first)).toMatchObject({ email: "ada@example.com" });
      await page.getByRole("link", { name: "2 open invitations" }).click();
      const row = page.locator(".settings-content .rows > li", { hasText: "ada@example.com" });
      await row.getByText("Editors").waitFor();
      await row.getByText("not mailed").waitFor();
      await row.getByRole("button", { name: /^Send again/ }).click();
      await dialog.getByRole("button", { name: "Send again" }).click();
      const second = tokenOf(await takeLinks(page, /^Link for .*ada@example\.com/));
      expect(await findInvitation(world.service, first)).toBeNull();
      expect(await findInvitation(world.service, second)).toMatchObject({ email: "ada@example.com" });
      await page.getByRole("button", { name: /^Revoke .*grace@example\.com/ }).click();
      await dialog.getByRole("button", { name: "Revoke" }).click();
      await page.getByText("1 open invitation", { exact: true }).waitFor();
      const { data } = await admin.run(operations.listInvitations, {});
      expect(data.map(({ email, groups }) => [email, groups.map(({ name }) => name)])).toEqual([
        ["ada@example.com", ["Editors"]],
      ]);
    });
  });

  it("somebody gets a link to set a password, or a new password at once", { timeout: 2 * timeout }, async () => {
    const { world } = site.setting;
    const person = await addPerson(world, "Editors");
    await site.withPage(world.people.admin, {}, async (page) => {
      await open(page, "/people?query=new+of+editors");
      const dialog = page.getByRole("dialog");
      await page.getByRole("button", { name: /^New password for .*New of Editors/ }).click();
      await dialog.getByRole("button", { name: "Send link" }).click();
      const link = await takeLinks(page, /^Link for /);
      expect(await findPasswordReset(world.service, tokenOf(link))).toMatchObject({ userId: person.id });
      await page.getByRole("button", { name: /^New password for .*New of Editors/ }).click();
      await dialog.getByLabel("Make a password now").check();
      await dialog.getByRole("button", { name: "Make password" }).click();
      expect((await takeLinks(page, /^Password of .*New of Editors/)).length).toBeGreaterThan(10);
    });
  });
});
