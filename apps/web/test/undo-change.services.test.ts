import { callerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDocument, editDocument, editorOf, markdownOf, status } from "./editor-setting.ts";
import { openSite, type Site, started } from "./site.ts";

describe("undoing one change in the history of a document, in Chromium, by keyboard only", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close(), timeout);

  const assistant = () => callerOf(site.setting.world, site.setting.world.people.admin);
  const undoButton = (page: Page) => page.getByRole("main").getByRole("button", { name: "Undo this change" });
  /** Opens the state of a document at a revision. */
  async function openRevision(page: Page, id: string, revision: number): Promise<void> {
    await page.goto(`${site.origin}/documents/${id}/history/${revision}`);
    await started(page);
    await page.getByRole("main").getByText(`Revision ${revision}`).waitFor();
  }

  it("takes it back while another person types, keeps the later changes, says so, and is named in the history", {
    meta: { proves: ["web.history.undo"] },
    timeout: 3 * timeout,
  }, async () => {
    const id = await createDocument(site, "Plan", "Intro.\n\nOld plan.");
    const { revision } = await assistant().edit(id, { op: "append", markdown: "Appended by mistake." });
    await callerOf(site.setting.world, site.setting.world.people.editor).update(id, { title: "The plan" });
    await editDocument(site, id, async (typing, editor) => {
      await editorOf(typing).getByText("Intro.", { exact: true }).click();
      await typing.keyboard.press("End");
      await typing.keyboard.type(" Ada is", { delay: 30 });
      await site.withPage(site.setting.world.people.admin, {}, async (page) => {
        await openRevision(page, id, revision);
        await Promise.all([typing.keyboard.type(" typing on", { delay: 60 }), undoButton(page).press("Enter")]);
        await page.getByRole("status").getByText("The change is undone. Later changes stay.").waitFor();
        await page.locator("h1:focus", { hasText: "Plan" }).waitFor();
        await editor.getByText("Appended by mistake.").waitFor({ state: "detached" });
        // The caret has stayed where it was.
        await typing.keyboard.type(", undisturbed.", { delay: 30 });
        await status(typing, /^Saved$/);
        await expect.poll(() => markdownOf(site, id)).toBe("Intro. Ada is typing on, undisturbed.\n\nOld plan.\n");
        await page.goto(`${site.origin}/documents/${id}/history`);
        await started(page);
        await page
          .getByRole("main")
          .getByRole("link", { name: `Undoes revision ${revision}` })
          .press("Enter");
        await page.getByRole("main").locator(".facts").getByText(`Undoes revision ${revision}`).waitFor();
      });
    });
  });

  it("says how many places were changed again since, and why nothing is left to undo", {
    meta: { proves: ["web.history.undo"] },
    timeout,
  }, async () => {
    const id = await createDocument(site, "Colors", "red a\n\nold b");
    const { revision } = await assistant().update(id, { text: "blue a\n\nnew b" });
    const { editor } = site.setting.world.people;
    await callerOf(site.setting.world, editor).update(id, { text: "green a\n\nnew b" });
    await site.withPage(editor, { expected: [/409 .*undo/] }, async (page) => {
      await openRevision(page, id, revision);
      await undoButton(page).press("Enter");
      const told = "The change is undone, except in 1 place that was changed again since.";
      await page.getByRole("status").getByText(told).waitFor();
      expect(await markdownOf(site, id)).toBe("green a\n\nold b\n");
      await openRevision(page, id, revision);
      await undoButton(page).press("Enter");
      await page.getByRole("alert").getByText("Nothing was undone").waitFor();
    });
  });

  it("says as which revision an open version was continued, which is the one to undo", {
    meta: { proves: ["web.history.undo"] },
    timeout,
  }, async () => {
    const id = await createDocument(site, "Continued", "One.");
    const { revision } = await assistant().update(id, { text: "One.\n\nTwo." });
    await site.withPage(site.setting.world.people.editor, { expected: [/409 .*undo/] }, async (page) => {
      await openRevision(page, id, revision);
      const later = await assistant().update(id, { text: "One.\n\nTwo.\n\nThree." });
      // The page has heard of it, and stays.
      await page.getByRole("main").getByRole("button", { name: "Restore this version" }).waitFor();
      await undoButton(page).press("Enter");
      await page.getByRole("alert").getByText(`this version was continued as revision ${later.revision}.`).waitFor();
      expect(await markdownOf(site, id)).toBe("One.\n\nTwo.\n\nThree.\n");
    });
  });

  it("is offered to those who may edit, and not for the first version", {
    meta: { proves: ["web.history.undo"] },
    timeout,
  }, async () => {
    const id = await createDocument(site, "Read", "One.");
    await assistant().edit(id, { op: "append", markdown: "Two." });
    const { revision } = await assistant().update(id, { published: true });
    const { viewer, editor } = site.setting.world.people;
    await site.withPage(editor, {}, async (page) => {
      await openRevision(page, id, 1);
      await page.getByRole("main").getByRole("button", { name: "Restore this version" }).waitFor();
      expect(await undoButton(page).count()).toBe(0);
      await openRevision(page, id, revision);
      await undoButton(page).waitFor();
    });
    await site.withPage(viewer, {}, async (page) => {
      await openRevision(page, id, revision);
      expect(await undoButton(page).count()).toBe(0);
    });
  });
});
