import { inspect, timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createDocument, editDocument, status, toEnd, toStart, type Writing } from "./editor-setting.ts";
import { openSite, type Site } from "./site.ts";

/** Returns how far the caret of another person is from the end of a text, in pixels: across, and of its upper edge. */
const distance = (page: Page, text: string): Promise<readonly [number, number]> =>
  page.evaluate((wanted) => {
    const caret = document.querySelector(".editor ~ * [data-color]")?.getBoundingClientRect();
    const walker = document.createTreeWalker(document.querySelector(".editor") ?? document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const end = (node.textContent ?? "").indexOf(wanted) + wanted.length;
      if (end < wanted.length || caret === undefined) continue;
      const range = document.createRange();
      range.setStart(node, end);
      range.setEnd(node, end);
      const { left, top } = range.getBoundingClientRect();
      return [Math.abs(caret.left - left), Math.abs(caret.top - top)] as const;
    }
    return [Number.MAX_VALUE, Number.MAX_VALUE] as const;
  }, text);

/** The time after which a tab that says nothing has left, in milliseconds. */
const silenceMs = 30_000;

describe("the people in a document, in Chromium", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterEach(() => void vi.restoreAllMocks());
  afterAll(() => site?.close(), timeout);

  const editing = (who: "editor" | "admin", id: string, use: Writing): Promise<void> =>
    editDocument(site, id, use, { who });

  it("are listed by name, said when they come and leave, and their carets follow their text", {
    meta: { proves: ["web.editor.people", "web.editor.together"] },
    timeout: 2 * timeout,
  }, async () => {
    const id = await createDocument(site, "People", "First line.\n\nSecond line.");
    await editing("editor", id, async (ada, adasEditor) => {
      await toEnd(ada);
      const list = ada.getByRole("list", { name: "Also here" });
      expect(await list.count()).toBe(0);
      let name = "";
      await editing("admin", id, async (bob) => {
        await list.getByRole("listitem").waitFor();
        name = ((await list.locator("[dir=auto]").textContent()) ?? "").trim();
        expect(name).not.toBe("");
        await ada.getByRole("status").getByText(`${name}⁩ is here now.`).waitFor();
        await toEnd(bob);
        await bob.keyboard.type(" By Bob");
        await adasEditor.getByText("Second line. By Bob").waitFor();
        await expect
          .poll(async () => Math.max(...(await distance(ada, "By Bob"))), { timeout: 20_000 })
          .toBeLessThan(4);
        await toStart(ada);
        await ada.keyboard.type("Ada's words. ");
        await expect
          .poll(async () => Math.max(...(await distance(ada, "By Bob"))), { timeout: 20_000 })
          .toBeLessThan(4);
        await inspect(ada, "editor-people", { width: 1280, scheme: "light" });
        await bob.keyboard.press("Shift+Control+ArrowLeft");
        const selected = (): Promise<string> =>
          ada.evaluate(() => [...CSS.highlights].flatMap(([, ranges]) => [...ranges].map(String)).join());
        await expect.poll(selected, { timeout: 20_000 }).toBe("Bob");
        await Promise.all([status(ada, /^Saved$/), status(bob, /^Saved$/)]);
      });
      // A page that the browser ended without a word has left once it was silent for half a minute, by the clock of the service.
      const now = Date.now.bind(Date);
      vi.spyOn(Date, "now").mockImplementation(() => now() + silenceMs);
      await ada.getByRole("status").getByText(`${name}⁩ has left.`).waitFor();
      expect(await list.count()).toBe(0);
      expect(await ada.locator(".editor ~ * [data-color]").count()).toBe(0);
    });
  });

  it("arrive late where no stream opens: the page says so beside who came, and not without a network", {
    meta: { proves: ["web.editor.people"] },
    timeout: 2 * timeout,
  }, async () => {
    const id = await createDocument(site, "Late", "Line.");
    const withoutStream: Writing = async (ada, adasEditor) => {
      const came = ada.getByRole("status").getByText("is here now.");
      const late = ada.getByRole("status").getByText("Changes by others arrive with a delay.");
      await editing("admin", id, async (bob) => {
        await came.waitFor();
        await ada.route("**/api/live.stream*", (route) => route.abort());
        await ada.evaluate(() => {
          dispatchEvent(new Event("pagehide"));
          dispatchEvent(new Event("pageshow"));
        });
        await late.waitFor();
        expect(await came.count()).toBe(1);
        await toEnd(bob);
        await bob.keyboard.type(" By Bob");
        await adasEditor.getByText("Line. By Bob").waitFor();
        await ada.context().setOffline(true);
        await late.waitFor({ state: "detached" });
        await ada.context().setOffline(false);
        await ada.unroute("**/api/live.stream*");
        await Promise.all([status(ada, /^Saved$/), status(bob, /^Saved$/)]);
      });
    };
    await editDocument(site, id, withoutStream, {
      expected: [/ERR_FAILED|ERR_INTERNET_DISCONNECTED|live|app\.events/],
    });
  });

  it("who only move are seen by one who only watches", {
    meta: { proves: ["web.editor.people"] },
    timeout: 2 * timeout,
  }, async () => {
    const id = await createDocument(site, "Still", "Line.\n\nLast line.");
    await editing("editor", id, async (ada) => {
      await toEnd(ada);
      await ada.keyboard.type(" By Ada");
      await status(ada, /^Saved$/);
      await editing("admin", id, async (bob) => {
        await toStart(bob);
        const edge = async (): Promise<number> => Math.max(...(await distance(ada, "Line.")));
        await bob.keyboard.press("End");
        await expect.poll(edge, { timeout: 20_000 }).toBeLessThan(4);
      });
    });
  });

  it("who write far from what is seen have the browser lay out nothing there, and their carets are there once they are seen", {
    meta: { proves: ["web.editor.people"] },
    timeout: 2 * timeout,
  }, async () => {
    const id = await createDocument(site, "Far", Array.from({ length: 200 }, (_, n) => `Line ${n}.`).join("\n\n"));
    await editing("editor", id, async (ada, adasEditor) => {
      await toStart(ada);
      await ada.evaluate(() => {
        const measured: string[] = [];
        const { getClientRects } = Range.prototype;
        Range.prototype.getClientRects = function (): DOMRectList {
          measured.push(this.startContainer.textContent ?? "");
          return getClientRects.call(this);
        };
        Object.assign(globalThis, { measured });
      });
      await editing("admin", id, async (bob) => {
        await toEnd(bob);
        await ada.locator(".editor ~ * [data-color]").waitFor({ state: "attached" });
        await bob.keyboard.type(" By Bob");
        await status(bob, /^Saved$/);
        await adasEditor.getByText("Line 199. By Bob").waitFor({ state: "attached" });
        const measured = (): Promise<readonly string[]> => ada.evaluate(() => Reflect.get(globalThis, "measured"));
        expect((await measured()).filter((text) => text.startsWith("Line 199."))).toEqual([]);
        await ada.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        await expect
          .poll(async () => Math.max(...(await distance(ada, "By Bob"))), { timeout: 20_000 })
          .toBeLessThan(4);
        expect((await measured()).some((text) => text.startsWith("Line 199."))).toBe(true);
      });
    });
  });
});
