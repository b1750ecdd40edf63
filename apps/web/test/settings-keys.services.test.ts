import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();

describe("API keys in Chromium", () => {
  const open = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${site.origin}/settings/keys${path}`);
    await started(page);
  };
  const titlesOf = async (key: string): Promise<string[] | number> => {
    const answer = await fetch(`${site.origin}/api/v1/documents?limit=100&fields=id,title`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    if (!answer.ok) return answer.status;
    const { data } = (await answer.json()) as { data: { title: string }[] };
    return data.map(({ title }) => title).sort();
  };

  it("a restricted key is made by keyboard, is shown once, and reaches exactly what its tree says", {
    timeout: 2 * timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, {}, async (page) => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await open(page, "/new");
      await page.getByLabel("Name").fill("Mirror");
      await page.getByLabel("Expires").selectOption("Never");
      const collection = page.getByRole("row", { name: "Open" });
      await collection.focus();
      await page.keyboard.press("ArrowRight");
      await page.getByRole("row", { name: "Guide" }).waitFor();
      await page.keyboard.press("ArrowDown");
      expect(await page.locator(":focus").getAttribute("aria-level")).toBe("2");
      await page.keyboard.press("Tab");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await page.getByText("Chosen: 0 collections, 1 document.").waitFor();
      const title = await page
        .getByRole("row")
        .filter({ has: page.locator(":focus") })
        .locator("[dir=auto]")
        .textContent();
      await page.getByRole("button", { name: "Create key" }).press("Enter");
      const dialog = page.getByRole("dialog", { name: "Your new key" });
      const secret = await dialog.getByRole("status", { name: "API key" }).textContent();
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await dialog.getByRole("button", { name: "Copy API key" }).click();
      await dialog.getByText("Copied").first().waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      expect(await titlesOf(secret ?? "")).toEqual([title]);
      await page.getByRole("link", { name: /Edit .*Mirror/ }).click();
      await page.getByLabel(/Access to .*Open/).selectOption("Read only");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText(/Mirror.* is saved/).waitFor();
      expect((await titlesOf(secret ?? "")).toString()).toContain(title);
      expect(await page.content()).not.toContain(secret);
      await page.getByRole("button", { name: /Revoke .*Mirror/ }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      await page.getByText(/Mirror.* is revoked/).waitFor();
      expect(await titlesOf(secret ?? "")).toBe(401);
      await page.getByLabel("Show revoked keys").check();
      await page.locator(".tag", { hasText: "Revoked" }).waitFor();
      expect(new URL(page.url()).search).toBe("?show=revoked");
    });
  });

  it("what was typed stays when the service does not answer, and the next try makes the key", { timeout }, async () => {
    await site.withPage(site.setting.world.people.member, { expected: [/status of 503/] }, async (page) => {
      await open(page, "/new");
      await page.getByLabel("Name").fill("Backup");
      site.intercept((path) =>
        path === "/api/apiKeys.create"
          ? Response.json({ error: "Not now.", code: "unavailable" }, { status: 503 })
          : undefined,
      );
      await page.getByRole("button", { name: "Create key" }).click();
      await page.getByRole("alert").getByText("Not now.").waitFor();
      site.intercept(undefined);
      expect(await page.getByLabel("Name").inputValue()).toBe("Backup");
      await page.getByRole("button", { name: "Create key" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "I’ve saved it" }).click();
      await page.getByRole("link", { name: /Edit .*Backup/ }).waitFor();
    });
  });

  it("an administrator sees and revokes the keys of others, and changes only their own", { timeout }, async () => {
    await site.withPage(site.setting.world.people.admin, {}, async (page) => {
      await open(page, "");
      const rows = page.locator(".settings-content .rows > li");
      await rows.first().waitFor();
      for (const row of await rows.all()) {
        const isOwn = !(await row.textContent())?.includes("of ");
        expect(await row.getByRole("link", { name: /^Edit/ }).count()).toBe(isOwn ? 1 : 0);
        expect(await row.getByRole("button", { name: /^Revoke/ }).count()).toBe(1);
      }
      for (const path of ["/018f0000-0000-7000-8000-000000000000", "/old", "/new/1"]) {
        expect((await page.goto(`${site.origin}/settings/keys${path}`))?.status(), path).toBe(404);
        await page.getByRole("heading", { name: "Page not found" }).waitFor();
      }
    });
  });
});
