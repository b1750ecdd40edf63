import { invoke, operations } from "@kb/core";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSite, type Site, settled, started } from "./site.ts";

describe("writing in Chromium", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close(), timeout);

  const create = async (title: string, text: string): Promise<string> => {
    const { world } = site.setting;
    const collectionId = world.collections.open;
    const input = { collectionId, title, text, publish: true };
    return (await invoke(world.service, operations.createDocument, world.people.editor.actor, input)).id;
  };
  const textOf = async (id: string): Promise<string> => {
    const { service, people } = site.setting.world;
    return (await invoke(service, operations.getDocument, people.editor.actor, { id })).text ?? "";
  };
  const write = async (page: Page, id: string): Promise<void> => {
    await page.goto(`${site.origin}/documents/${id}?edit=source`);
    await page.getByRole("textbox", { name: "Markdown" }).waitFor();
  };
  const status = (page: Page, text: string | RegExp) =>
    page.getByRole("main").getByRole("status").getByText(text).waitFor();

  /** Writes what the service does not take. */
  const onlyHere = async (page: Page, id: string, logOutStatus = 200): Promise<void> => {
    await write(page, id);
    site.intercept((path, method) => {
      if (path === "/logout") return answerLogOut(method, logOutStatus);
      return path.startsWith("/api/v1/")
        ? Response.json({ error: "Down.", code: "unavailable" }, { status: 503 })
        : undefined;
    });
    await page.getByRole("textbox", { name: "Markdown" }).fill("Only here.");
    await status(page, /^Not saved:/);
  };
  const logOut = async (page: Page): Promise<void> => {
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Log out" }).click();
  };
  const logOutDialog = (page: Page) => page.getByRole("dialog", { name: "Log out and lose unsaved text?" });

  it("by keyboard only a person creates a document, writes it, and reads it", {
    meta: { proves: ["web.create", "web.writing.kept"] },
    timeout,
  }, async () => {
    const { world } = site.setting;
    await site.withPage(world.people.editor, {}, async (page) => {
      await page.goto(`${site.origin}/collections/${world.collections.open}`);
      await started(page);
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      let created = 0;
      await page.route("**/api/v1/documents", async (route) => {
        created += 1;
        await held;
        await route.continue();
      });
      await page.keyboard.press("n");
      await expect.poll(() => created).toBe(1);
      // The N is the first letter of the title: the keys that follow are for the field that comes.
      await page.keyboard.type("notebk");
      await page.keyboard.press("Backspace");
      await page.keyboard.type("ook ");
      release();
      const title = page.locator('textarea[aria-label="Title"]:focus');
      await title.waitFor();
      expect(created).toBe(1);
      expect(await title.inputValue()).toBe("notebook ");
      await page.keyboard.type("of hand");
      await page.getByRole("textbox", { name: "Text", exact: true }).waitFor();
      await page.keyboard.press("Tab");
      await page.keyboard.type("# Plan\n\nWrite *this* down.");
      await status(page, /^Saved$/);
      await page.keyboard.press("Control+Enter");
      await page.locator("h1:focus", { hasText: "notebook of hand" }).waitFor();
      await page.getByRole("article").getByText("Write this down.").waitFor();
      await page.getByText("This is a draft.").waitFor();
    });
  });

  it("E and Done leave the line in the window where it is, and the caret is in it", {
    meta: { proves: ["web.editor.still"] },
    timeout: 2 * timeout,
  }, async () => {
    const words = "Everybody who comes to this paragraph reads a line or two of it. ".repeat(3);
    const blocks = Array.from({ length: 60 }, (_, index) => `## Part ${index}\n\n${words}`);
    // Readers do not see these blocks.
    const hidden = "<!-- Hidden -->\n\n[name]: https://example.com\n\n".repeat(5);
    const id = await create("Long enough to scroll", `${hidden}${blocks.join("\n\n")}`);
    await site.withPage(site.setting.world.people.editor, {}, async (page) => {
      await page.goto(`${site.origin}/documents/${id}`);
      await started(page);
      await settled(page);
      // Until the blocks far below are laid out, their places are only estimated.
      await page.locator("article:not([data-far], :has(> [data-far]))").waitFor();
      const topOf = (name: string): Promise<number> =>
        page
          .getByRole("heading", { name, exact: true })
          .evaluate((node) => Math.round(node.getBoundingClientRect().top));
      await page.getByRole("heading", { name: "Part 30", exact: true }).evaluate((node) => {
        scrollTo({ top: node.getBoundingClientRect().top + scrollY - 300, behavior: "instant" });
      });
      // Less than half of a line from where it was.
      const isThere = async (): Promise<boolean> => Math.abs((await topOf("Part 30")) - 300) < 12;
      expect(await isThere()).toBe(true);
      await page.keyboard.press("e");
      await page.locator(".editor[contenteditable=true]:focus").waitFor();
      await expect.poll(isThere).toBe(true);
      await page.keyboard.type("Here: ");
      await status(page, /^Saved$/);
      expect(await isThere()).toBe(true);
      await page.keyboard.press("Control+Enter");
      await page.getByRole("article").waitFor();
      await expect.poll(isThere).toBe(true);
      const typed = await page.getByRole("article").getByText("Here: ").boundingBox();
      expect(typed?.y).toBeGreaterThan(100);
      expect(typed?.y).toBeLessThan(700);
    });
  });

  it("where the text has become shorter than the place of its reader, the caret is in its last block", {
    meta: { proves: ["web.editor.still"] },
    timeout,
  }, async () => {
    const { service, people } = site.setting.world;
    const lines = Array.from({ length: 60 }, (_, index) => `Line ${index}.`);
    const id = await create("Long, then short", lines.join("\n\n"));
    await site.withPage(people.editor, { possible: [/app\.events/] }, async (page) => {
      // The page does not hear that somebody else has shortened the text.
      await page.route("**/api/app.events*", () => {});
      await page.goto(`${site.origin}/documents/${id}`);
      await started(page);
      await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" }));
      await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500);
      await invoke(service, operations.updateDocument, people.admin.actor, { id, text: "One.\n\nTwo.\n\nThree." });
      await page.keyboard.press("e");
      await page.locator(".editor[contenteditable=true]:focus").getByText("Three.").waitFor();
      await page.keyboard.type("Here: ");
      await status(page, /^Saved$/);
      await expect.poll(() => textOf(id)).toContain("Here: Three.");
    });
  });

  it("what was written while the service was away is there after a reload, and is saved then", {
    meta: { proves: ["web.writing.kept"] },
    timeout,
  }, async () => {
    const id = await create("Kept", "Before.");
    await site.withPage(site.setting.world.people.editor, { expected: [/503 .*documents/] }, async (page) => {
      await write(page, id);
      site.intercept((path) =>
        path.startsWith("/api/v1/")
          ? Response.json({ error: "Down.", code: "unavailable" }, { status: 503 })
          : undefined,
      );
      await page.getByRole("textbox", { name: "Markdown" }).fill("After the cut.");
      await status(page, /^Not saved:/);
      let asked = 0;
      page.on("dialog", (dialog) => {
        asked += 1;
        void dialog.accept();
      });
      await page.reload();
      expect(asked).toBe(1);
      site.intercept(undefined);
      await page.getByRole("textbox", { name: "Markdown" }).waitFor();
      expect(await page.getByRole("textbox", { name: "Markdown" }).inputValue()).toBe("After the cut.");
      await expect.poll(() => textOf(id), { timeout: 20_000 }).toContain("After the cut.");
      await status(page, /^Saved$/);
    });
  });

  it("Markdown whose page is closed right after a key is there after a reload, and is saved then", {
    meta: { proves: ["web.writing.kept"] },
    timeout,
  }, async () => {
    const id = await create("Closed at once", "Before.");
    await site.withPage(site.setting.world.people.editor, {}, async (page) => {
      await write(page, id);
      page.on("dialog", (dialog) => void dialog.accept());
      const field = page.getByRole("textbox", { name: "Markdown" });
      for (const text of ["First.", "Second."]) {
        await field.fill(text);
        await page.reload();
        await field.waitFor();
        expect(await field.inputValue()).toBe(text);
      }
      await expect.poll(() => textOf(id), { timeout: 20_000 }).toContain("Second.");
      await status(page, /^Saved$/);
      const left = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("kb-drafts:")));
      expect(left).toEqual([]);
    });
  });

  it("logging out asks once before it deletes what only this device has", {
    meta: { proves: ["web.writing.kept"] },
    timeout,
  }, async () => {
    const id = await create("Left behind", "Before.");
    await site.withPage(site.setting.world.people.editor, { expected: [/503 .*documents/] }, async (page) => {
      const questions: string[] = [];
      page.on("dialog", (dialog) => {
        questions.push(dialog.type());
        void dialog.accept();
      });
      await onlyHere(page, id);
      await logOut(page);
      await logOutDialog(page)
        .getByText(/Text of 1 document is only on this device/)
        .waitFor();
      await logOutDialog(page).getByRole("button", { name: "Cancel" }).click();
      await page.reload();
      await page.getByRole("textbox", { name: "Markdown" }).waitFor();
      expect(await page.getByRole("textbox", { name: "Markdown" }).inputValue()).toBe("Only here.");
      questions.length = 0;
      await logOut(page);
      await logOutDialog(page).getByRole("button", { name: "Delete it and log out" }).click();
      await page.getByText("You are logged out").waitFor();
      expect(questions).toEqual([]);
      site.intercept(undefined);
      await write(page, id);
      expect(await page.getByRole("textbox", { name: "Markdown" }).inputValue()).toBe("Before.\n");
    });
  });

  it.each([403, 503, 0])(
    "a log-out that ends with %i says so and deletes nothing",
    {
      meta: { proves: ["web.writing.kept"] },
      timeout,
    },
    async (answered) => {
      const id = await create("Not left", "Before.");
      const problems = {
        expected: [/503 .*documents/, answered === 0 ? /ERR_FAILED/ : new RegExp(`${answered} .*logout`)],
      };
      await site.withPage(site.setting.world.people.editor, problems, async (page) => {
        page.on("dialog", (dialog) => void dialog.accept());
        await onlyHere(page, id, answered);
        if (answered === 0) await page.route("**/logout", (route) => route.abort());
        await logOut(page);
        await logOutDialog(page).getByRole("button", { name: "Delete it and log out" }).click();
        await logOutDialog(page).getByRole("alert").getByText("nothing was deleted").waitFor();
        await logOutDialog(page).getByRole("button", { name: "Cancel" }).click();
        expect(await page.getByRole("textbox", { name: "Markdown" }).inputValue()).toBe("Only here.");
        await page.reload();
        await page.getByRole("textbox", { name: "Markdown" }).waitFor();
        expect(await page.getByRole("textbox", { name: "Markdown" }).inputValue()).toBe("Only here.");
        site.intercept(undefined);
        await expect.poll(() => textOf(id), { timeout }).toContain("Only here.");
      });
    },
  );

  it("a change by somebody else is reported in words, and the writer chooses; neither text is lost", {
    meta: { proves: ["web.writing.conflict"] },
    timeout,
  }, async () => {
    const id = await create("Disputed", "Before.");
    const { service, people } = site.setting.world;
    await site.withPage(people.editor, { expected: [/409 .*documents/] }, async (page) => {
      await write(page, id);
      await invoke(service, operations.updateDocument, people.admin.actor, { id, text: "By the other." });
      await page.getByRole("textbox", { name: "Markdown" }).fill("By me.");
      await status(page, /^Not saved:/);
      expect(await textOf(id)).toContain("By the other.");
      await page.getByRole("button", { name: "Show the other version" }).click();
      await page.getByRole("textbox", { name: /^Text of/ }).waitFor();
      await page.getByRole("button", { name: "Save mine instead" }).click();
      await status(page, /^Saved$/);
      expect(await textOf(id)).toContain("By me.");
      const { data } = await invoke(service, operations.listRevisions, people.editor.actor, { id });
      expect(data.length).toBeGreaterThanOrEqual(2);
    });
  });

  it("a change of the tags while somebody writes is no conflict", {
    meta: { proves: ["web.writing.conflict"] },
    timeout,
  }, async () => {
    const id = await create("Tagged meanwhile", "Before.");
    const { service, people } = site.setting.world;
    await site.withPage(people.editor, { expected: [/409 .*documents/] }, async (page) => {
      await write(page, id);
      await invoke(service, operations.updateDocument, people.admin.actor, { id, tags: ["new"] });
      await page.getByRole("textbox", { name: "Markdown" }).fill("Still mine.");
      await expect.poll(() => textOf(id), { timeout: 20_000 }).toContain("Still mine.");
    });
  });

  it("a reader without the right to edit gets the page, not the fields", {
    meta: { proves: ["web.abilities"] },
    timeout,
  }, async () => {
    const id = await create("Read only", "Read me.");
    await site.withPage(site.setting.world.people.viewer, {}, async (page) => {
      await page.goto(`${site.origin}/documents/${id}?edit=true`);
      await started(page);
      await page.getByRole("article").getByText("Read me.").waitFor();
      expect(await page.getByRole("main").getByRole("textbox").count()).toBe(0);
      expect(await page.getByRole("button", { name: "New document" }).count()).toBe(0);
    });
  });
});

/** Stands for the page that logs out, which another app serves: its form leads to the page again. */
function answerLogOut(method: string, status: number): Response {
  if (method === "GET")
    return new Response("<!doctype html><title>Out</title><link rel=icon href=data:,><p>You are logged out", {
      headers: html,
    });
  if (status === 200) return new Response(null, { status: 303, headers: { Location: "/logout" } });
  return Response.json({ error: "Not now.", code: "unavailable" }, { status });
}

const html = { "Content-Type": "text/html" };
