import { invoke, operations } from "@kb/core";
import { timeout } from "@kb/testing/chromium";
import { type ScriptAttempt, scriptAttempts } from "@kb/testing/script-attempts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dangersIn, setTripwires } from "./dangers.ts";
import { openSite, type Site, settled, started } from "./site.ts";
import { openCollection } from "./tree-world.ts";

/** Titles at the limits of what a line can hold. */
const titles = {
  emoji: "👩🏽‍🚀".repeat(36),
  flags: "🏳️‍🌈".repeat(42),
  word: "W".repeat(255),
  rightToLeft: `${"\u202e"}txt.exe ${"\u2066".repeat(20)} اختبار abc`,
  arabic: "اختبار طويل جدا ".repeat(15).trim(),
  combining: `Z${"\u0301".repeat(200)}`,
};

describe("hostile content in Chromium", () => {
  let site: Site;
  let hostile: string;
  let extreme: string;
  const scripts: string[] = [];
  const extremes: { id: string; title: string }[] = [];

  beforeAll(async () => {
    site = await openSite();
    const { world } = site.setting;
    hostile = await openCollection(world, "<img src=x onerror=alert(1)>");
    extreme = await openCollection(world, titles.word.slice(0, 100));
    for (const { title, text } of joinedAttempts()) {
      const tags = [title.replaceAll(",", "").slice(0, 60), "</script><script>alert(1)</script>"];
      scripts.push(await create({ collectionId: hostile, title, text, tags }));
    }
    for (const title of Object.values(titles)) {
      const id = await create({
        collectionId: extreme,
        title,
        text: `${title}\n\n[${title}](/documents/${scripts[0]})`,
      });
      extremes.push({ id, title });
    }
    const [draft, archived, trashed] = await Promise.all(
      [0, 1, 2].map((index) => create({ collectionId: hostile, title: `<svg onload=alert(${index})>`, text: "Text." })),
    );
    const { service, people } = world;
    await invoke(service, operations.updateDocument, people.admin.actor, { id: draft ?? "", published: false });
    await invoke(service, operations.archiveDocument, people.admin.actor, { id: archived ?? "" });
    await invoke(service, operations.deleteDocument, people.admin.actor, { id: trashed ?? "" });
  });
  afterAll(() => site?.close(), timeout);

  async function create(input: { collectionId: string; title: string; text: string; tags?: string[] }) {
    const { service, people } = site.setting.world;
    return (await invoke(service, operations.createDocument, people.admin.actor, { ...input, publish: true })).id;
  }

  /** The attempts, several in one document, so that there are few pages and each attempt is in a title and in a text. */
  function joinedAttempts(): ScriptAttempt[] {
    const joined: ScriptAttempt[] = [];
    for (const attempt of scriptAttempts()) {
      const last = joined.at(-1);
      const title = last === undefined ? attempt.title : `${last.title} ${attempt.title}`;
      if (last === undefined || title.length > 250) joined.push(attempt);
      else
        joined[joined.length - 1] = {
          title,
          text: `${last.text}\n\n${attempt.text}`,
          cases: last.cases + attempt.cases,
        };
    }
    return joined;
  }

  const desk = { viewport: { width: 1280, height: 900 } };
  /** An image that the policy refuses, or that is nowhere, is what the text asks for. */
  const images = [/ERR_|img-src|Failed to load resource/];
  const open = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${site.origin}${path}`);
    await started(page);
  };
  const row = (page: Page, name: string) => page.getByRole("treeitem", { name, exact: true });

  it("the wires catch what runs, and what could", { timeout }, async () => {
    await site.withPage(site.setting.world.people.admin, { bypassCSP: true, possible: images }, async (page) => {
      await setTripwires(page);
      await open(page, "/");
      await page.locator("main").evaluate((main) => {
        const bait = document
          .createRange()
          .createContextualFragment("<img src=x onerror=alert(1)><a href='javascript:alert(1)'>x</a>");
        main.append(bait);
      });
      await expect.poll(async () => (await dangersIn(page)).ran).toContain("alert");
      expect((await dangersIn(page)).found).toHaveLength(2);
    });
  });

  it("no attempt to run a script in a title, a text, a tag or a link runs on any screen", {
    meta: { proves: ["web.hostile"] },
    timeout: 4 * timeout,
  }, async () => {
    const tag = encodeURIComponent("</script><script>alert(1)</script>");
    const lists = ["/", `/collections/${hostile}`, "/tags", `/tags/${tag}`, "/drafts", "/archive", "/trash"];
    const pages = scripts.map((id) => `/documents/${id}`);
    const first = pages[0] ?? "";
    const others = [`${first}/history`, `${first}/history/1`, "/search?query=alert", `/search?query=${tag}`];
    await site.withPage(site.setting.world.people.admin, { ...desk, possible: images }, async (page) => {
      await setTripwires(page);
      for (const path of [...lists, ...pages, ...others]) {
        await open(page, path);
        expect(await dangersIn(page), path).toEqual({ ran: [], found: [] });
      }
      for (const link of ["Home", "Drafts", "Tags", "Archive", "Trash"]) {
        await page.getByRole("link", { name: link, exact: true }).first().click();
        await page.locator("h1", { hasText: link }).waitFor();
        await settled(page);
        expect(await dangersIn(page), link).toEqual({ ran: [], found: [] });
      }
    });
  });

  it("nothing runs in the tree, in quick open, in menus and in dialogs", {
    meta: { proves: ["web.hostile"] },
    timeout: 2 * timeout,
  }, async () => {
    await site.withPage(site.setting.world.people.admin, { ...desk, possible: images }, async (page) => {
      await setTripwires(page);
      await open(page, "/trash");
      await row(page, "<img src=x onerror=alert(1)>").focus();
      await page.keyboard.press("ArrowRight");
      await page.locator('[role="treeitem"][aria-level="2"]').first().waitFor();
      await page.getByRole("button", { name: /^Delete forever: <svg/ }).press("Enter");
      await page.getByRole("dialog", { name: "Delete “<svg onload=alert(2)>” forever?" }).waitFor();
      expect(await dangersIn(page)).toEqual({ ran: [], found: [] });
      await page.keyboard.press("Escape");
      await page.locator('[role="treeitem"][aria-level="2"]').first().click();
      await page.getByRole("article").waitFor();
      expect(await dangersIn(page)).toEqual({ ran: [], found: [] });
      for (const command of ["Move", "Edit tags", "Rename"]) {
        await page.keyboard.press("Control+k");
        await page.locator("[role=dialog] input:focus").waitFor();
        await page.keyboard.type("alert");
        await page
          .getByRole("group", { name: "In the text" })
          .or(page.getByRole("menuitem", { name: "alert" }).first())
          .first()
          .waitFor();
        expect(await dangersIn(page), "quick open").toEqual({ ran: [], found: [] });
        await page.keyboard.press("Control+a");
        await page.keyboard.type(`>${command}`);
        await page.locator("[role=menuitem][data-focused]", { hasText: command }).waitFor();
        await page.keyboard.press("Enter");
        // The field of quick open has the focus until the dialog takes its place.
        await page.locator("[role=menuitem][data-focused]", { hasText: command }).waitFor({ state: "detached" });
        await page.locator("[role=dialog] input:focus, dialog input:focus").waitFor();
        expect(await dangersIn(page), command).toEqual({ ran: [], found: [] });
        await page.keyboard.press("Escape");
        await page.locator("[role=dialog], dialog[open]").first().waitFor({ state: "detached" });
      }
    });
  });

  it("titles of 255 emoji, one long word or mixed directions are whole, and neither widen nor reverse what is around them", {
    meta: { proves: ["web.hostile.layout"] },
    timeout: 4 * timeout,
  }, async () => {
    const lists = [`/collections/${extreme}`, "/", "/search?query=W*"];
    for (const width of [320, 1280]) {
      await site.withPage(site.setting.world.people.admin, { viewport: { width, height: 900 } }, async (page) => {
        for (const path of [...lists, ...extremes.map(({ id }) => `/documents/${id}`)]) {
          await open(page, path);
          const { wide, cut, reversed } = await layoutProblems(page);
          expect({ wide, cut, reversed }, `${path} at ${width}`).toEqual({ wide: [], cut: [], reversed: [] });
        }
        for (const { id, title } of extremes) {
          await open(page, `/documents/${id}`);
          expect(await page.locator("h1").textContent()).toBe(title);
        }
      });
    }
  });
});

/** Measures what sticks out of the window or of its own line, and text whose direction reaches beyond its element. */
const layoutProblems = (page: Page) =>
  page.evaluate(() => {
    const { clientWidth } = document.documentElement;
    const sticksOut = (element: Element): boolean => {
      const { left, right } = element.getBoundingClientRect();
      return (
        (right > clientWidth + 1 || left < -1) &&
        element.closest("[data-scroll-area], pre, table, [role=tree]") === null
      );
    };
    const wide = [...document.querySelectorAll("main, main *, header *")].filter(sticksOut);
    const texts = [
      ...document.querySelectorAll<HTMLElement>("main h1, main p, main .row-title, main li, main dd, .crumbs a"),
    ];
    const cut = texts.filter((element) => {
      const { overflowX, overflowY } = getComputedStyle(element);
      const isHidden = overflowX !== "visible" || overflowY !== "visible";
      return (
        isHidden && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1)
      );
    });
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const reversed: string[] = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!node.nodeValue?.includes("\u202e") || parent === null || parent.localName === "script") continue;
      let holder: Element | null = parent;
      while (holder !== null && !/isolate|plaintext/.test(getComputedStyle(holder).unicodeBidi))
        holder = holder.parentElement;
      if (holder === null || holder.localName === "main") reversed.push(parent.outerHTML.slice(0, 200));
    }
    return {
      wide: wide.map((element) => element.outerHTML.slice(0, 200)),
      cut: cut.map((element) => element.outerHTML.slice(0, 200)),
      reversed,
    };
  });
