import { invoke, operations } from "@kb/core";
import { timeout } from "@kb/testing/chromium";
import type { Locator, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chosen, openSite, type Site, started } from "./site.ts";
import { openCollection } from "./tree-world.ts";

const suggestions = "**/api/documents.suggest";
const searches = /\/api\/v1\/search\?/;

describe("pickers whose answers come late, in Chromium", () => {
  let site: Site;
  let traveller: string;
  let targetPath: string;
  beforeAll(async () => {
    site = await openSite();
    const from = await openCollection(site.setting.world, "Alpha");
    // Contains "ta", so that it is the first entry until the last letter is typed.
    await openCollection(site.setting.world, "Beta");
    traveller = await create("Traveller", from);
    targetPath = `/documents/${await create("Target", from)}`;
    await create("Tarmac", from, "Where the Target lands.");
    const tagged = await create("Passport", from);
    const { service, people } = site.setting.world;
    await invoke(service, operations.updateDocument, people.editor.actor, {
      id: tagged,
      tags: ["abroad", "boat", "car"],
    });
  });
  afterAll(() => site?.close(), timeout);

  const create = async (title: string, collectionId: string, text = ""): Promise<string> => {
    const { service, people } = site.setting.world;
    const input = { collectionId, title, text, publish: true };
    return (await invoke(service, operations.createDocument, people.editor.actor, input)).id;
  };
  const withTraveller = (
    use: (page: Page) => Promise<void>,
    person = site.setting.world.people.editor,
  ): Promise<void> =>
    site.withPage(person, {}, async (page) => {
      await page.goto(`${site.origin}/documents/${traveller}`);
      await started(page);
      await use(page);
    });
  const openPicker = async (page: Page, key: string): Promise<void> => {
    await page.keyboard.press(key);
    await page.locator("[role=dialog] input:focus").waitFor();
  };

  it("the first entry of an answer has the focus, though another one had it and is gone", {
    meta: { proves: ["web.picker.answers"] },
    timeout,
  }, async () => {
    await withTraveller(async (page) => {
      const held = await holdAnswers(page, suggestions);
      await openPicker(page, "m");
      await page.keyboard.type("ta");
      await chosen(page, "Beta");
      await page.keyboard.type("rg");
      await page.getByRole("menuitem", { name: "Beta" }).waitFor({ state: "detached" });
      await held.release();
      await chosen(page, "Target");
      await page.keyboard.press("Enter");
      await page.getByText("was moved.").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByRole("navigation", { name: "Breadcrumbs" }).getByText("Target").waitFor({ state: "detached" });
    });
  });

  it("an answer that replaces the first entry moves the focus to the new one, after deleting a letter too", {
    meta: { proves: ["web.picker.answers"] },
    timeout,
  }, async () => {
    await withTraveller(async (page) => {
      const held = await holdAnswers(page, suggestions);
      const texts = await holdAnswers(page, searches);
      await openPicker(page, "Control+k");
      await page.keyboard.type("tar");
      await chosen(page, "Star");
      await held.reached(1);
      await held.release();
      await chosen(page, "Tarmac");
      await texts.release();
      await page.keyboard.type("gx");
      await chosen(page, "Search everything");
      await page.keyboard.press("Backspace");
      await chosen(page, "Target");
      await page.keyboard.press("Enter");
      await page.locator("h1", { hasText: "Target" }).waitFor();
    });
  });

  it("Enter before the answer opens the first entry of the answer, not that of an earlier one", {
    meta: { proves: ["web.picker.answers"] },
    timeout,
  }, async () => {
    await withTraveller(async (page) => {
      await openPicker(page, "Control+k");
      await page.keyboard.type("tarm");
      await chosen(page, "Tarmac");
      const held = await holdAnswers(page, suggestions);
      await page.keyboard.press("Backspace");
      await page.keyboard.type("g");
      await page.keyboard.press("Enter");
      await held.reached(1);
      await page.getByRole("searchbox").and(page.locator("[value=targ]")).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/documents/${traveller}`);
      await held.release();
      await page.locator("h1", { hasText: "Target" }).waitFor();
      expect(new URL(page.url()).pathname).toBe(targetPath);
    });
  });

  it("answers that come in the reverse order show only the last one", {
    meta: { proves: ["web.picker.answers"] },
    timeout,
  }, async () => {
    await withTraveller(async (page) => {
      const held = await holdAnswers(page, suggestions);
      await openPicker(page, "Control+k");
      for (const [index, letter] of [..."targ"].entries()) {
        await page.keyboard.type(letter);
        await held.reached(index + 1);
      }
      await page.keyboard.press("Enter");
      await held.release();
      await page.locator("h1", { hasText: "Target" }).waitFor();
      expect(new URL(page.url()).pathname).toBe(targetPath);
    });
  });

  it("keys that are typed while quick open is being loaded have their first entry, and Enter opens it", {
    meta: { proves: ["web.picker.answers"] },
    timeout,
  }, async () => {
    await withTraveller(async (page) => {
      const held = await holdAnswers(page, "**/assets/quick-open-*.js");
      await page.keyboard.press("Control+k");
      await held.reached(1);
      await page.keyboard.type("targ");
      await held.release();
      await chosen(page, "Target");
      await page.keyboard.press("Enter");
      await page.locator("h1", { hasText: "Target" }).waitFor();
    });
  });

  it("moving the cursor in the field chooses no entry: Enter opens the first one of the answer that comes later", {
    meta: { proves: ["web.picker.answers"] },
    timeout,
  }, async () => {
    await withTraveller(async (page) => {
      const held = await holdAnswers(page, suggestions);
      const texts = await holdAnswers(page, searches);
      await openPicker(page, "Control+k");
      await page.keyboard.type("tar");
      await chosen(page, "Star");
      await page.keyboard.press("ArrowLeft");
      await held.reached(1);
      await held.release();
      await chosen(page, "Tarmac");
      await page.keyboard.press("Enter");
      await page.locator("h1", { hasText: "Tarmac" }).waitFor();
      await texts.release();
    });
  });

  /** Opens the tags of the document of the page by the keyboard; returns their dialog. */
  const openTags = async (page: Page): Promise<Locator> => {
    await openPicker(page, "Control+k");
    await page.keyboard.type(">Edit tags");
    await chosen(page, "Edit tags");
    await page.keyboard.press("Enter");
    return page.getByRole("dialog", { name: "Edit tags" });
  };

  it("moving the cursor in the empty field of the tags leaves Enter to the form, which saves no other tag", {
    meta: { proves: ["web.picker.answers"] },
    timeout,
  }, async () => {
    await withTraveller(async (page) => {
      const dialog = await openTags(page);
      await dialog.getByRole("menuitem", { name: "abroad" }).waitFor();
      await dialog.locator("input:focus").waitFor();
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
      const { service, people } = site.setting.world;
      const { tags } = await invoke(service, operations.getDocument, people.editor.actor, { id: traveller });
      expect(tags).toEqual([]);
    });
  });

  it("the arrows go on from where an entry was taken, and Enter right after it saves the form", {
    meta: { proves: ["web.picker.answers"] },
    timeout,
  }, async () => {
    const { service, people } = site.setting.world;
    // Somebody who manages tags: for others, a tag that may be a hidden one is tried first.
    await withTraveller(async (page) => {
      const dialog = await openTags(page);
      const taken = (name: string): Promise<void> => dialog.getByRole("listitem").filter({ hasText: name }).waitFor();
      await dialog.getByRole("menuitem", { name: "abroad" }).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await chosen(page, "boat");
      await page.keyboard.press("Enter");
      await taken("boat");
      await page.keyboard.press("ArrowDown");
      await chosen(page, "car");
      await page.keyboard.press("Enter");
      await taken("car");
      await page.keyboard.press("ArrowUp");
      await chosen(page, "abroad");
      await page.keyboard.press("Enter");
      await taken("abroad");
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
      const { tags } = await invoke(service, operations.getDocument, people.editor.actor, { id: traveller });
      expect(tags).toEqual(["abroad", "boat", "car"]);
      await invoke(service, operations.updateDocument, people.editor.actor, { id: traveller, tags: [] });
    }, people.admin);
  });

  it("an entry that the person went to keeps the focus while texts are found", {
    meta: { proves: ["web.picker.answers"] },
    timeout,
  }, async () => {
    await withTraveller(async (page) => {
      const held = await holdAnswers(page, searches);
      await openPicker(page, "Control+k");
      await page.keyboard.type("target");
      await expect
        .poll(() => page.getByRole("menuitem").allTextContents(), { timeout })
        .toEqual(["TargetAlpha", "Search everything for “target”"]);
      await chosen(page, "Target");
      await page.keyboard.press("ArrowDown");
      await chosen(page, "Search everything");
      await held.reached(1);
      await held.release();
      await page.getByRole("menuitem", { name: /lands/ }).waitFor();
      await chosen(page, "Search everything");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/search?query=target");
    });
  });
});

type Held = {
  /** Waits until so many requests are held. */
  reached(count: number): Promise<void>;
  /** Lets the held requests and all later ones pass, the last one first. */
  release(): Promise<void>;
};

/** Keeps the requests of a page to an address until the test lets them pass. */
async function holdAnswers(page: Page, address: string | RegExp): Promise<Held> {
  let held: Route[] | undefined = [];
  await page.route(address, async (route) => {
    if (held === undefined) await route.continue();
    else held.push(route);
  });
  return {
    reached: (count) => expect.poll(() => held?.length, { timeout }).toBeGreaterThanOrEqual(count),
    async release() {
      const routes = held ?? [];
      held = undefined;
      // One that the app has given up is gone.
      for (const route of routes.reverse()) await route.continue().catch(() => undefined);
    },
  };
}
