import { invoke, operations } from "@kb/core";
import { timeout } from "@kb/testing/chromium";
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSite, type Site, settled, started } from "./site.ts";

describe("keys that are typed before the page of a document is there, in Chromium", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close(), timeout);

  const api = () => {
    const { service, people } = site.setting.world;
    return {
      create: async (title: string, text = "") =>
        invoke(service, operations.createDocument, people.editor.actor, {
          collectionId: site.setting.world.collections.open,
          title,
          text,
          publish: true,
        }),
      rename: (id: string, title: string) =>
        invoke(service, operations.updateDocument, people.editor.actor, { id, title }),
      read: (id: string) => invoke(service, operations.getDocument, people.editor.actor, { id }),
    };
  };
  const openCollection = async (page: Page): Promise<void> => {
    await page.goto(`${site.origin}/collections/${site.setting.world.collections.open}`);
    await started(page);
  };
  const titleField = (page: Page) => page.getByRole("textbox", { name: "Title", exact: true });
  const text = (page: Page) => page.locator(".editor[contenteditable=true]");
  const saved = (page: Page) =>
    page
      .getByRole("main")
      .getByRole("status")
      .getByText(/^Saved$/)
      .waitFor();

  it("a typed-ahead Enter leads from the title to the text, and creates nothing more", {
    meta: { proves: ["web.create"] },
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, {}, async (page) => {
      await openCollection(page);
      const creations = await hold(page, "**/api/v1/documents", "POST");
      // With the focus on the button, each Enter would press it again.
      await page.getByRole("navigation").getByRole("button", { name: "New document" }).press("Enter");
      await creations.begun(1);
      await page.keyboard.type("Plan n");
      await page.keyboard.press("Backspace");
      await page.keyboard.press("Backspace");
      await page.keyboard.press("Enter");
      await page.keyboard.type("# First");
      await page.keyboard.press("Enter");
      await page.keyboard.type("said h/e[re");
      creations.release();
      await text(page).getByText("said h/e[re").waitFor();
      expect(await titleField(page).inputValue()).toBe("Plan");
      expect(await text(page).getByRole("heading", { name: "First" }).count()).toBe(1);
      await page.keyboard.type(" and on");
      await text(page).getByText("said h/e[re and on").waitFor();
      await saved(page);
      expect(creations.count()).toBe(1);
      const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
      expect(await api().read(id)).toMatchObject({ title: "Plan", text: "First\nsaid h/e[re and on" });
    });
  });

  it("a person who goes elsewhere stays there, and the draft has what was typed for it", {
    meta: { proves: ["web.create"] },
    timeout,
  }, async () => {
    const other = await api().create("Another one", "Its own text.");
    await site.withPage(site.setting.world.people.editor, {}, async (page) => {
      await openCollection(page);
      const creations = await hold(page, "**/api/v1/documents", "POST");
      await page.keyboard.press("n");
      await creations.begun(1);
      await page.keyboard.type("Meant here");
      await page.getByRole("main").getByRole("link", { name: "Another one" }).click();
      await page.locator("h1", { hasText: "Another one" }).waitFor();
      // Its keys are its own.
      await page.keyboard.press("e");
      await text(page).waitFor();
      creations.release();
      const notice = page.getByText(/The draft .*Meant here.* was created\./);
      await notice.waitFor();
      expect(new URL(page.url()).pathname).toBe(`/documents/${other.id}`);
      expect(await titleField(page).inputValue()).toBe("Another one");
      await page.getByRole("button", { name: "Open it" }).click();
      await page.waitForURL((url) => url.pathname !== `/documents/${other.id}`);
      await expect.poll(() => titleField(page).inputValue()).toBe("Meant here");
      expect((await api().read(other.id)).title).toBe("Another one");
    });
  });

  it("after E the text has the focus, and keys become text of it, and no shortcut", {
    meta: { proves: ["web.writing.kept"] },
    timeout,
  }, async () => {
    const { id } = await api().create("Known", "Its own text.");
    await site.withPage(site.setting.world.people.editor, {}, async (page) => {
      await page.goto(`${site.origin}/documents/${id}`);
      await started(page);
      const parts = await hold(page, "**/assets/editor-page-*.js", "GET");
      const openings = await hold(page, "**/api/live.open", "POST");
      await page.keyboard.press("e");
      await parts.begun(1);
      await page.keyboard.type("nhm");
      parts.release();
      // The page is there before the text is: keys wait in the place of the text.
      await titleField(page).waitFor();
      await page.keyboard.press("Enter");
      await page.keyboard.type("Before n/h: ");
      openings.release();
      await text(page).getByText("Before n/h: Its own text.").waitFor();
      await page.keyboard.press("End");
      await page.keyboard.type(" After.");
      await saved(page);
      expect(await api().read(id)).toMatchObject({ title: "Known", text: "nhm\nBefore n/h: Its own text. After." });
    });
  });

  it("a page at rest has loaded the editor for those who may write, so that E asks the service for no module of it, and not for others", {
    meta: { proves: ["web.writing.kept"] },
    timeout,
  }, async () => {
    const { id } = await api().create("At rest", "Its own text.");
    const { people } = site.setting.world;
    const editorModule = /\/assets\/(?:writer|editor-page|editor)-[\w-]{8}\.js$/;
    const openAtRest = async (page: Page): Promise<string[]> => {
      const asked: string[] = [];
      page.on("request", (request) => void (editorModule.test(request.url()) && asked.push(request.url())));
      // A menu loads at the same moment.
      const atRest = page.waitForResponse(/\/assets\/action-menu-[^/]*\.js$/);
      await page.goto(`${site.origin}/documents/${id}`);
      await started(page);
      await atRest;
      return asked;
    };
    await site.withPage(people.editor, {}, async (page) => {
      const asked = await openAtRest(page);
      await expect.poll(() => asked.length).toBe(3);
      await settled(page);
      await page.keyboard.press("e");
      await text(page).getByText("Its own text.").waitFor();
      expect(asked).toHaveLength(3);
    });
    await site.withPage(people.viewer, {}, async (page) => {
      const asked = await openAtRest(page);
      await settled(page);
      expect(asked).toEqual([]);
    });
  });

  it("where somebody else names the document meanwhile, the letters typed for its title become text of it", {
    meta: { proves: ["web.writing.kept"] },
    timeout,
  }, async () => {
    const { id } = await api().create("Untitled", "Its own text.");
    await site.withPage(site.setting.world.people.editor, {}, async (page) => {
      await page.goto(`${site.origin}/documents/${id}`);
      await started(page);
      const parts = await hold(page, "**/assets/editor-page-*.js", "GET");
      await page.keyboard.press("e");
      await parts.begun(1);
      await page.keyboard.type("Mine: ");
      const read = page.waitForResponse(/documents\.view/);
      await api().rename(id, "Named by another");
      await page.getByRole("navigation").getByText("Named by another").first().waitFor();
      // The page has the name too, by a request of its own.
      await read;
      await settled(page);
      parts.release();
      await text(page).getByText("Mine: Its own text.").waitFor();
      expect(await titleField(page).inputValue()).toBe("Named by another");
    });
  });

  it("a key that comes when the text is there without its caret has its place behind the earlier ones", {
    meta: { proves: ["web.writing.kept"] },
    timeout,
  }, async () => {
    const { id } = await api().create("Soon there", "Its own text.");
    await site.withPage(site.setting.world.people.editor, {}, async (page) => {
      await page.goto(`${site.origin}/documents/${id}`);
      await started(page);
      await page.evaluate(() => {
        const press = (_changes: unknown, observer: MutationObserver): void => {
          const editor = document.querySelector(".editor[contenteditable=true]");
          if (editor === null) return;
          observer.disconnect();
          editor.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
        };
        new MutationObserver(press).observe(document, { subtree: true, childList: true });
      });
      const openings = await hold(page, "**/api/live.open", "POST");
      await page.keyboard.press("e");
      await openings.begun(1);
      await titleField(page).waitFor();
      await page.keyboard.type("Early");
      openings.release();
      await text(page).getByText("Early").waitFor();
      expect(await text(page).locator("p").allTextContents()).toEqual(["Early", "Its own text."]);
    });
  });

  it("after E on a document without a name the title has the focus, selected", { timeout }, async () => {
    const { id } = await api().create("Untitled", "Its own text.");
    await site.withPage(site.setting.world.people.editor, {}, async (page) => {
      await page.goto(`${site.origin}/documents/${id}`);
      await started(page);
      await page.keyboard.press("e");
      await text(page).waitFor();
      await page.keyboard.type("Named now");
      await expect.poll(() => titleField(page).inputValue()).toBe("Named now");
    });
  });

  it("the Markdown of a document with a name has the focus at its beginning", { timeout }, async () => {
    const { id } = await api().create("Known as well", "Its own text.");
    await site.withPage(site.setting.world.people.editor, {}, async (page) => {
      await page.goto(`${site.origin}/documents/${id}?edit=source`);
      const field = page.getByRole("textbox", { name: "Markdown" });
      await field.and(page.locator(":focus")).waitFor();
      await page.keyboard.type("Before. ");
      expect(await field.inputValue()).toBe("Before. Its own text.\n");
    });
  });

  it("where nothing is created, keys work as before, and the next try has the title", {
    meta: { proves: ["web.create"] },
    timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.editor, { expected: [/503 .*documents/] }, async (page) => {
      await openCollection(page);
      const creations = await hold(page, "**/api/v1/documents", "POST");
      site.intercept((path, method) =>
        path === "/api/v1/documents" && method === "POST"
          ? Response.json({ error: "Down.", code: "unavailable" }, { status: 503 })
          : undefined,
      );
      await page.keyboard.press("n");
      await creations.begun(1);
      await page.keyboard.type("Second try");
      creations.release();
      const again = page.getByRole("button", { name: "Try again" });
      // A notice with the focus stays.
      await again.focus();
      site.intercept(undefined);
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await again.click();
      await expect.poll(() => titleField(page).inputValue()).toBe("Second try");
    });
  });
});

/** Holds the requests to an address until `release` is called. */
async function hold(page: Page, address: string, method: string) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let count = 0;
  await page.route(address, async (route: Route) => {
    if (route.request().method() !== method) return route.continue();
    count += 1;
    await released;
    await route.continue();
  });
  return {
    release,
    count: () => count,
    begun: (least: number) => expect.poll(() => count).toBeGreaterThanOrEqual(least),
  };
}
