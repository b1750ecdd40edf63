import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDocument, editorOf, expectSaved, markdownOf, openEditor, status, toEnd } from "./editor-setting.ts";
import { openSite, type Site } from "./site.ts";

const down = (): Response => Response.json({ error: "Down.", code: "unavailable" }, { status: 503 });

type Damage = "no document" | "no first step" | "no row" | "too old";

/** Takes a part of what the editor has on the device; returns whether there was something to take. */
const damage = (page: Page, what: Damage): Promise<boolean> =>
  page.evaluate(
    (part) =>
      new Promise<boolean>((resolve, reject) => {
        const opening = indexedDB.open("kb-sessions", 1);
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const transaction = opening.result.transaction(["sessions", "snapshots"], "readwrite");
          const sessions = transaction.objectStore("sessions");
          const keys = sessions.getAllKeys();
          const rows = sessions.getAll();
          rows.onsuccess = () => {
            const [key = ""] = keys.result;
            const row = rows.result[0];
            if (part === "no document") transaction.objectStore("snapshots").delete(key);
            if (part === "no first step")
              sessions.put({ ...row, changes: { ...row.changes, local: row.changes.local.slice(1) } }, key);
            if (part === "too old") sessions.put({ ...row, keptAt: Date.now() - 31 * 24 * 60 * 60 * 1_000 }, key);
            if (part === "no row") sessions.put({ keptAt: row.keptAt, title: row.title }, key);
          };
          transaction.oncomplete = () => {
            opening.result.close();
            resolve(keys.result.length === 1);
          };
        };
      }),
    what,
  );

/** Returns the number of steps that the device has of the only session. */
const stepsOnDevice = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open("kb-sessions", 1);
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const reading = opening.result.transaction("sessions").objectStore("sessions").getAll();
          reading.onsuccess = () => {
            opening.result.close();
            resolve(reading.result[0]?.changes.local.length ?? 0);
          };
        };
      }),
  );

describe("a device that has lost a part of a text, in Chromium", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close(), timeout);

  /** Types a text while the service is away, takes a part of it from the device, and loads the page again. */
  const lose = async (what: Damage, use: (page: Page, id: string) => Promise<void>): Promise<void> => {
    const id = await createDocument(site, "Damaged", "Before.");
    await site
      .withPage(site.setting.world.people.editor, { expected: [/503 .*live/] }, async (page) => {
        page.on("dialog", (dialog) => void dialog.accept());
        await openEditor(site, page, id);
        await toEnd(page);
        site.intercept((path) => (path.startsWith("/api/live.") ? down() : undefined));
        // The first is the batch on the way.
        await page.keyboard.insertText(" First");
        await status(page, /^Not saved: 1 change is kept on this device/);
        await page.keyboard.insertText(" second");
        await status(page, /^Not saved: 2 changes are kept on this device/);
        await expect.poll(() => stepsOnDevice(page)).toBe(2);
        expect(await damage(page, what)).toBe(true);
        await page.reload();
        await use(page, id);
      })
      .finally(() => site.intercept(undefined));
  };
  const openList = async (page: Page) => {
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Text kept on this device" }).click();
    return page.getByRole("dialog", { name: "Text kept on this device" });
  };

  it.each([
    ["no document" as const, [" First second"]],
    ["no first step" as const, [" First", " second"]],
  ])(
    "with %s: it lists the text while the service is away, and offers it in the document afterwards",
    {
      meta: { proves: ["web.writing.kept"] },
      timeout,
    },
    async (what, texts) => {
      await lose(what, async (page, id) => {
        const list = await openList(page);
        const listed = list.getByRole("region", { name: "Damaged" }).getByRole("blockquote");
        await expect.poll(() => listed.allTextContents()).toEqual([texts.join("\n\n")]);
        await list.getByText("Only this device has this text.").waitFor();
        await page.keyboard.press("Escape");
        site.intercept(undefined);
        const offered = page.getByRole("region", { name: "Text without a place" });
        await expect.poll(() => offered.getByRole("blockquote").allTextContents(), { timeout: 30_000 }).toEqual(texts);
        expect(await editorOf(page).textContent()).toBe("Before.");
        await toEnd(page);
        for (const text of texts) {
          await offered.getByRole("button", { name: "Insert here" }).first().click();
          await editorOf(page).getByText(text.trim()).waitFor();
        }
        await offered.waitFor({ state: "detached" });
        await expectSaved(site, page, id, "Before. First second\n");
      });
    },
  );

  it("with no row that it can read: it says so, lists it to be deleted, and writing goes on", {
    meta: { proves: ["web.writing.kept"] },
    timeout,
  }, async () => {
    await lose("no row", async (page, id) => {
      const words = /text of this document that it cannot read/;
      await page.getByText(words).waitFor();
      site.intercept(undefined);
      await editorOf(page).getByText("Before.").waitFor({ timeout: 30_000 });
      await toEnd(page);
      await page.keyboard.type(" After.");
      await expectSaved(site, page, id, "Before. After.\n");
      const list = await openList(page);
      const kept = list.getByRole("region", { name: "Damaged" });
      await kept.getByText(words).waitFor();
      expect(await list.getByText("Only this device has this text.").count()).toBe(0);
      expect(await kept.getByRole("button", { name: "Copy" }).count()).toBe(0);
      await kept.getByRole("button", { name: "Delete from this device" }).click();
      const question = page.getByRole("dialog", { name: "Delete this text?" });
      await question.getByRole("button", { name: "Delete from this device" }).click();
      await list.getByText("Nothing: the service has all that you wrote.").waitFor();
      expect(await markdownOf(site, id)).toBe("Before. After.\n");
    });
  });

  it("that another tab has sent since it was listed is not listed as text that nobody can read", {
    meta: { proves: ["web.writing.kept"] },
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, {}, async (page) => {
      await openEditor(site, page, await createDocument(site, "Sent", "Before."));
      // A key is listed, and there is nothing at it.
      await page.evaluate(
        (userId) =>
          new Promise<void>((resolve, reject) => {
            const opening = indexedDB.open("kb-sessions", 1);
            opening.onerror = () => reject(opening.error);
            opening.onsuccess = () => {
              const transaction = opening.result.transaction("sessions", "readwrite");
              transaction.objectStore("sessions").put(undefined, `${userId}:document:tab`);
              transaction.oncomplete = () => {
                opening.result.close();
                resolve();
              };
            };
          }),
        site.setting.world.people.editor.id,
      );
      const list = await openList(page);
      await list.getByText("Nothing: the service has all that you wrote.").waitFor();
      expect(await list.getByRole("region").count()).toBe(0);
    });
  });

  it("for longer than 30 days has nothing of it any more", {
    meta: { proves: ["web.writing.kept"] },
    timeout,
  }, async () => {
    await lose("too old", async (page, id) => {
      site.intercept(undefined);
      await editorOf(page).getByText("Before.").waitFor({ timeout: 30_000 });
      expect(await stepsOnDevice(page)).toBe(0);
      expect(await page.getByRole("region", { name: "Text without a place" }).count()).toBe(0);
      await toEnd(page);
      await page.keyboard.type(" After.");
      await expectSaved(site, page, id, "Before. After.\n");
    });
  });
});
