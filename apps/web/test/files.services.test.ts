import { invoke, operations } from "@kb/core";
import { timeout } from "@kb/testing/chromium";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { picture } from "./screens.ts";
import { openSite, type Site, started } from "./site.ts";

describe("the files of a document in Chromium", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close(), timeout);

  const create = async (): Promise<string> => {
    const { service, people, collections } = site.setting.world;
    const input = { collectionId: collections.open, title: "With files", publish: true };
    return (await invoke(service, operations.createDocument, people.editor.actor, input)).id;
  };
  const attach = async (documentId: string, name: string, bytes: Uint8Array): Promise<void> => {
    const { service, people } = site.setting.world;
    await invoke(service, operations.attachBytes, people.editor.actor, { documentId, name, bytes });
  };

  it("are listed with size and preview without script, and hostile names stay text", {
    meta: { proves: ["web.attachments"] },
    timeout,
  }, async () => {
    const id = await create();
    await attach(id, "<img src=x onerror=alert(1)>.txt", Buffer.alloc(48_213, "x"));
    await attach(id, "pixel.gif", picture);
    await site.withPage(site.setting.world.people.viewer, { javaScriptEnabled: false }, async (page) => {
      await page.goto(`${site.origin}/documents/${id}`);
      const rows = page.locator(".files li");
      expect(await rows.locator(".row-title").allTextContents()).toEqual([
        "pixel.gif",
        "<img src=x onerror=alert(1)>.txt",
      ]);
      expect(await rows.nth(1).locator(".row-detail").textContent()).toMatch(/^48 kB · /);
      expect(await rows.nth(0).locator("img").getAttribute("alt")).toBe("");
      expect(await rows.nth(1).locator("img").count()).toBe(0);
      await rows.nth(0).getByRole("link").click();
      await page.waitForURL("**/files/*/pixel.gif");
    });
  });

  it("appear in an open page when somebody adds one", {
    meta: { proves: ["web.attachments", "web.current.lists"] },
    timeout,
  }, async () => {
    const id = await create();
    await site.withPage(site.setting.world.people.viewer, {}, async (page) => {
      await page.goto(`${site.origin}/documents/${id}`);
      await started(page);
      await page.waitForLoadState("load");
      expect(await page.getByRole("heading", { name: "Files", exact: true }).count()).toBe(0);
      await attach(id, "pixel.gif", picture);
      await page.getByRole("heading", { name: "Files", exact: true }).waitFor();
      await page.getByRole("link", { name: /^pixel\.gif/ }).waitFor();
    });
  });

  it("are deleted after a question, by those who may edit the document", {
    meta: { proves: ["web.attachments.delete"] },
    timeout: 2 * timeout,
  }, async () => {
    const id = await create();
    await attach(id, "pixel.gif", picture);
    const { viewer, editor } = site.setting.world.people;
    await site.withPage(viewer, {}, async (page) => {
      await page.goto(`${site.origin}/documents/${id}`);
      await started(page);
      await page.getByRole("link", { name: /^pixel\.gif/ }).waitFor();
      expect(await page.getByRole("button", { name: /^Delete/ }).count()).toBe(0);
    });
    await site.withPage(editor, {}, async (page) => {
      await page.goto(`${site.origin}/documents/${id}`);
      await started(page);
      const file = page.getByRole("link", { name: /^pixel\.gif/ });
      const ask = page.getByRole("button", { name: /^Delete.*pixel\.gif/ });
      await ask.click();
      await page.locator("dialog[open]").getByText("show it as missing").waitFor();
      await page.keyboard.press("Escape");
      await page.locator("dialog[open]").waitFor({ state: "detached" });
      await file.waitFor();
      await ask.click();
      await page.locator("dialog[open]").getByRole("button", { name: "Delete" }).click();
      await file.waitFor({ state: "detached" });
      await page.locator("h1:focus").waitFor();
      // A file that comes later brings no question with it.
      await attach(id, "one.gif", picture);
      await attach(id, "two.gif", picture);
      await page.getByRole("link", { name: /^one\.gif/ }).waitFor();
      await page.getByRole("link", { name: /^two\.gif/ }).waitFor();
      expect(await page.locator("dialog").count()).toBe(0);
      await page.getByRole("button", { name: /^Delete.*one\.gif/ }).click();
      await page.locator("dialog[open]").getByRole("button", { name: "Delete" }).click();
      await page.locator("h2:focus", { hasText: "Files" }).waitFor();
      await page.getByRole("link", { name: /^two\.gif/ }).waitFor();
      expect(await page.locator("dialog").count()).toBe(0);
    });
  });
});
