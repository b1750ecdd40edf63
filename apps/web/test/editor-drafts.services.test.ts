import { invoke, operations } from "@kb/core";
import { inspect, timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askedOnClose, createDocument, editorOf, markdownOf, openEditor, status, toEnd } from "./editor-setting.ts";
import { openSite, type Site } from "./site.ts";

const down = (): Response => Response.json({ error: "Down.", code: "unavailable" }, { status: 503 });
const loggedOut = (): Response => Response.json({ error: "Log in.", code: "unauthenticated" }, { status: 401 });

describe("text of the editor on the device, in Chromium", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close(), timeout);

  const editing = async (
    title: string,
    use: (page: Page, id: string) => Promise<void>,
    expected: RegExp[],
    possible: RegExp[] = [],
  ) => {
    const id = await createDocument(site, title, "Before.");
    await site.withPage(site.setting.world.people.editor, { expected, possible }, async (page) => {
      page.on("dialog", (dialog) => void dialog.accept());
      await openEditor(site, page, id);
      await toEnd(page);
      await use(page, id);
    });
    site.intercept(undefined);
  };
  /** Takes no batch, and answers nothing else of live editing if `all`. */
  const cutOff = (all = false): void =>
    site.intercept((path) => (path.startsWith(all ? "/api/live." : "/api/live.push") ? down() : undefined));
  /** Keeps the database busy until the page ends, so that all that the page still writes to it is given up then. */
  const keepDeviceBusy = (page: Page): Promise<void> =>
    page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open("kb-sessions", 1);
          opening.onsuccess = () => {
            const store = opening.result.transaction(["sessions", "snapshots", "titles"], "readwrite");
            const again = (): void => {
              store.objectStore("sessions").count().onsuccess = again;
            };
            again();
            resolve();
          };
        }),
    );
  /** Returns all that the editor has on the device, as JSON. */
  const device = (page: Page): Promise<string> =>
    page.evaluate(
      () =>
        new Promise<string>((resolve, reject) => {
          const opening = indexedDB.open("kb-sessions", 1);
          opening.onerror = () => reject(opening.error);
          opening.onsuccess = () => {
            const stores = ["sessions", "snapshots", "titles"];
            const transaction = opening.result.transaction(stores);
            const rows = stores.map((store) => transaction.objectStore(store).getAll());
            transaction.oncomplete = () => {
              opening.result.close();
              const moments = Object.entries(localStorage).filter(([key]) => /^kb-(sessions|titles):/.test(key));
              resolve(JSON.stringify([...rows.flatMap(({ result }) => result), ...moments]));
            };
          };
        }),
    );
  const kept = (page: Page, text: string): Promise<void> =>
    expect.poll(() => device(page), { timeout: 30_000 }).toContain(text);
  /** Types a text, and waits until the page says that it is on the device, and the device has all of it. */
  const typeAway = async (page: Page, text: string): Promise<void> => {
    await page.keyboard.type(text);
    await status(page, /^Not saved: .* kept on this device/);
    await keptText(page, text);
  };
  /** Waits until a text is on the device. Each key is a change of its own. */
  const keptText = (page: Page, text: string): Promise<void> => {
    const texts = async (): Promise<string> =>
      [...(await device(page)).matchAll(/"text":"([^"]*)"/g)].map(([, typed]) => typed).join("");
    return expect.poll(texts).toContain(text);
  };

  it("what was typed without the service is there after a reload, also before the service answers, and is saved then", {
    meta: { proves: ["web.writing.kept"] },
    timeout,
  }, async () => {
    await editing(
      "Reloaded",
      async (page, id) => {
        cutOff(true);
        await typeAway(page, " After the cut.");
        await page.reload();
        await editorOf(page).getByText("Before. After the cut.").waitFor();
        await toEnd(page);
        await typeAway(page, " And more.");
        await page.reload();
        await editorOf(page).getByText("Before. After the cut. And more.").waitFor();
        site.intercept(undefined);
        await status(page, /^Saved$/);
        await expect.poll(() => markdownOf(site, id)).toBe("Before. After the cut. And more.\n");
        await page.reload();
        await editorOf(page).getByText("Before. After the cut. And more.").waitFor();
        await expect.poll(() => markdownOf(site, id)).toBe("Before. After the cut. And more.\n");
      },
      [/503 .*live/],
    );
  });

  it("a page that is closed right after a key, while the batch is on its way, loses and doubles nothing", {
    meta: { proves: ["web.writing.kept"] },
    // It opens the document nine times.
    timeout: 4 * timeout,
  }, async () => {
    await editing(
      "Closed at once",
      async (page, id) => {
        for (let turn = 0; turn < 8; turn++) {
          if (turn % 2 === 1) await keepDeviceBusy(page);
          await page.keyboard.type(` word${turn}`);
          // The key is not on the device yet, or its batch is on its way.
          await page.reload();
          await editorOf(page).getByText(`word${turn}`).waitFor();
          await toEnd(page);
        }
        await status(page, /^Saved$/);
        await expect.poll(() => markdownOf(site, id)).toBe("Before. word0 word1 word2 word3 word4 word5 word6 word7\n");
        await page.keyboard.press("Control+Enter");
        await page.getByRole("article").getByText("word7").waitFor();
        await expect.poll(() => device(page)).toBe("[]");
      },
      [],
    );
  });

  it("what others wrote while somebody was away stays, and what was written away is added", {
    meta: { proves: ["web.writing.kept", "web.editor.together"] },
    timeout,
  }, async () => {
    const { service, people } = site.setting.world;
    await editing(
      "Away",
      async (page, id) => {
        await page.context().setOffline(true);
        await typeAway(page, " Written away.");
        await invoke(service, operations.editDocument, people.admin.actor, {
          id,
          op: "append",
          markdown: "By others.",
        });
        await page.context().setOffline(false);
        await editorOf(page).getByText("By others.").waitFor();
        await status(page, /^Saved$/);
        await expect.poll(() => markdownOf(site, id)).toBe("Before. Written away.\n\nBy others.\n");
      },
      [/ERR_INTERNET_DISCONNECTED|live|app\.events/],
    );
  });

  it("a session that ends while somebody types lets them end the sentence, keeps the text, and goes on after the log-in", {
    meta: { proves: ["web.writing.kept"] },
    timeout,
  }, async () => {
    await editing(
      "Session ended",
      async (page, id) => {
        site.intercept((path) => (path.startsWith("/api/") ? loggedOut() : undefined));
        await page.keyboard.type(" Typed after the end.", { delay: 60 });
        expect(await editorOf(page).textContent()).toBe("Before. Typed after the end.");
        await page.getByRole("dialog").getByRole("link", { name: "Log in" }).waitFor();
        await keptText(page, " Typed after the end.");
        await page.reload();
        site.intercept(undefined);
        // The page may ask already whether it should close, which Chromium refuses where nobody has pressed anything.
        await page.reload();
        await editorOf(page).getByText("Before. Typed after the end.").waitFor();
        await status(page, /^Saved$/);
        await expect.poll(() => markdownOf(site, id)).toBe("Before. Typed after the end.\n");
      },
      [/401|503|live|app\.|beforeunload/],
    );
  });

  it("two tabs of one document keep their own text, and a third one goes on with what both have left", {
    meta: { proves: ["web.writing.kept"] },
    timeout,
  }, async () => {
    await editing(
      "Two tabs",
      async (first, id) => {
        const second = await first.context().newPage();
        second.on("dialog", (dialog) => void dialog.accept());
        await openEditor(site, second, id);
        cutOff();
        await editorOf(second).click();
        await second.keyboard.press("Control+Home");
        await typeAway(second, "Second. ");
        await first.bringToFront();
        await toEnd(first);
        await typeAway(first, " First.");
        const third = await first.context().newPage();
        await openEditor(site, third, id);
        expect(await editorOf(third).textContent()).toBe("Before.");
        await first.close({ runBeforeUnload: false });
        await second.close({ runBeforeUnload: false });
        await third.close();
        site.intercept(undefined);
        const last = await openNew(third, id);
        await expect.poll(() => markdownOf(site, id), { timeout: 30_000 }).toContain("First.");
        await expect.poll(() => markdownOf(site, id), { timeout: 30_000 }).toContain("Second.");
        await status(last, /^Saved$/);
        await expect.poll(() => markdownOf(site, id)).toBe("Second. Before. First.\n");
      },
      [/503 .*live\.push/],
    );
  });
  const openNew = async (page: Page, id: string): Promise<Page> => {
    const next = await page.context().newPage();
    await openEditor(site, next, id);
    return next;
  };

  it("logging out asks, and deletes the text from the device, in the other tabs too", {
    meta: { proves: ["web.writing.kept"] },
    timeout,
  }, async () => {
    await editing(
      "Left behind",
      async (page, id) => {
        const other = await openNew(page, id);
        cutOff();
        await toEnd(other);
        await typeAway(other, " Secret.");
        await page.bringToFront();
        await page.getByRole("button", { name: "Account" }).click();
        await page.getByRole("menuitem", { name: "Log out" }).click();
        const dialog = page.getByRole("dialog", { name: "Log out and lose unsaved text?" });
        await dialog.getByText(/Text of 1 document is only on this device/).waitFor();
        await dialog.getByRole("button", { name: "Delete it and log out" }).click();
        await Promise.all([page, other].map((each) => each.getByText("You are logged out").waitFor()));
        expect(await device(page)).toBe("[]");
        site.intercept(undefined);
        await expect.poll(() => markdownOf(site, id)).toBe("Before.\n");
      },
      [/503 .*live\.push/],
      // The other tab may ask something before it leaves.
      [/401/],
    );
  });

  it("text of a document that was deleted meanwhile is listed in the account menu, to copy and to delete", {
    meta: { proves: ["web.writing.kept"] },
    timeout,
  }, async () => {
    const { service, people } = site.setting.world;
    await editing(
      "Deleted meanwhile",
      async (page, id) => {
        cutOff();
        await typeAway(page, " Still mine.");
        await invoke(service, operations.deleteDocument, people.admin.actor, { id });
        site.intercept(undefined);
        await page.goto(site.origin);
        await page.getByRole("button", { name: "Account" }).click();
        await page.getByRole("menuitem", { name: "Text kept on this device" }).click();
        const dialog = page.getByRole("dialog", { name: "Text kept on this device" });
        const kept = dialog.getByRole("region", { name: "Deleted meanwhile" });
        await kept.getByText("Still mine.", { exact: true }).waitFor();
        await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
        await kept.getByRole("button", { name: "Copy" }).click();
        await page.getByText("Copied", { exact: true }).waitFor();
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(" Still mine.");
        await inspect(page, "kept", { width: 1280, scheme: "light" });
        await kept.getByRole("button", { name: "Delete from this device" }).click();
        const question = page.getByRole("dialog", { name: "Delete this text?" });
        await question.getByRole("button", { name: "Delete from this device" }).click();
        await dialog.getByText("Nothing: the service has all that you wrote.").waitFor();
        expect(await device(page)).toBe("[]");
      },
      [/503 .*live\.push/],
      [/live|404/],
    );
  });

  it("leaves nothing on the device once everything is saved and the editor was left", {
    meta: { proves: ["web.writing.kept"] },
    timeout,
  }, async () => {
    await editing(
      "Nothing left",
      async (page) => {
        await page.keyboard.type(" Saved.");
        await status(page, /^Saved$/);
        await page.keyboard.press("Control+Enter");
        await page.getByRole("article").getByText("Before. Saved.").waitFor();
        await expect.poll(() => device(page)).toBe("[]");
      },
      [],
    );
  });

  it("a device without room says so in words, and the text is sent all the same", {
    meta: { proves: ["web.writing.kept"] },
    timeout,
  }, async () => {
    await editing(
      "No room",
      async (page, id) => {
        await page.evaluate(() => {
          IDBObjectStore.prototype.put = () => {
            throw new DOMException("Full", "QuotaExceededError");
          };
        });
        cutOff();
        await page.keyboard.type(" Here only.");
        await status(page, /^Not saved: .* on this page only/);
        site.intercept(undefined);
        await status(page, /^Saved$/);
        await expect.poll(() => markdownOf(site, id)).toBe("Before. Here only.\n");
      },
      [/503 .*live\.push/],
    );
  });

  it("text without a place is inserted at the caret or saved as a draft; nothing drops it before that has succeeded", {
    meta: { proves: ["web.writing.kept"] },
    timeout: 2 * timeout,
  }, async () => {
    const { service, people } = site.setting.world;
    const { actor } = people.admin;
    await editing(
      "Placeless",
      async (page, id) => {
        const region = page.getByRole("region", { name: "Text without a place" });
        /** Deletes the last block while somebody who is away writes in it. */
        const lose = async (text: string): Promise<void> => {
          await invoke(service, operations.editDocument, actor, { id, op: "append", markdown: "Doomed." });
          await editorOf(page).getByText("Doomed.").waitFor();
          await status(page, /^Saved$/);
          await toEnd(page);
          await page.context().setOffline(true);
          await typeAway(page, text);
          await invoke(service, operations.updateDocument, actor, { id, text: "Before." });
          await page.context().setOffline(false);
          await region.getByText(text.trim()).waitFor();
          await status(page, /^Saved$/);
        };
        await lose(" First lost");
        await inspect(page, "placeless", { width: 1280, scheme: "light" });
        await page.context().setOffline(true);
        await region.getByRole("button", { name: "Save as a new draft" }).click();
        await page
          .getByText(/could not be reached/)
          .first()
          .waitFor();
        await region.getByText("First lost").waitFor();
        await toEnd(page);
        await region.getByRole("button", { name: "Insert here" }).click();
        await region.waitFor({ state: "detached" });
        await page.keyboard.press("Control+z");
        expect(await editorOf(page).textContent()).toBe("Before.");
        await page.keyboard.press("Control+y");
        await kept(page, "First lost");
        await page.context().setOffline(false);
        await status(page, /^Saved$/);
        await expect.poll(() => markdownOf(site, id)).toBe("Before. First lost\n");
        await invoke(service, operations.updateDocument, actor, { id, text: "Before." });
        await expect.poll(() => editorOf(page).textContent()).toBe("Before.");
        await lose(" Second lost");
        await region.getByRole("button", { name: "Save as a new draft" }).click();
        await page.getByText("Saved as a new draft.").waitFor();
        await region.waitFor({ state: "detached" });
        const title = "Text from “Placeless”";
        const { data } = await invoke(service, operations.listDocuments, people.editor.actor, {
          status: ["draft"],
          title,
        });
        expect(data).toHaveLength(1);
        expect(await markdownOf(site, data[0]?.id ?? "")).toBe("Second lost\n");
      },
      [/ERR_INTERNET_DISCONNECTED|live|app\.events/],
      [/documents/],
    );
  });

  it("text that an earlier page has left is sent when the document is opened, and the page says when it was written", {
    meta: { proves: ["web.writing.kept"] },
    timeout,
  }, async () => {
    await editing(
      "Left",
      async (page, id) => {
        cutOff();
        await typeAway(page, " Left.");
        const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
        await page.route("**/api/live.push", async (route) => {
          await isReleased;
          await route.continue().catch(() => undefined);
        });
        site.intercept(undefined);
        await page.reload();
        await status(page, /^Sending what you wrote earlier \(\d+:\d\d.*\)…$/);
        release();
        await status(page, /^Saved$/);
        await expect.poll(() => markdownOf(site, id)).toBe("Before. Left.\n");
      },
      [/503 .*live\.push/],
    );
  });

  it("a document of which much has no place after a time offline is saved as a draft as its writer had it", {
    meta: { proves: ["web.writing.kept"] },
    timeout: 2 * timeout,
  }, async () => {
    const { service, people } = site.setting.world;
    const { actor } = people.admin;
    await editing(
      "Two versions",
      async (page, id) => {
        const region = page.getByRole("region", { name: "Text without a place" });
        await invoke(service, operations.updateDocument, actor, { id, text: "# Plan\n\nBefore.\n\n- one\n- two" });
        await editorOf(page).getByText("two").waitFor();
        await status(page, /^Saved$/);
        await toEnd(page);
        await page.context().setOffline(true);
        await page.keyboard.type(" and what I wrote offline");
        await typeAway(page, "");
        await invoke(service, operations.updateDocument, actor, { id, text: "# Plan\n\nOther." });
        await page.context().setOffline(false);
        await region.getByText("your version of the document").waitFor();
        await status(page, /^Saved$/);
        await inspect(page, "own-version", { width: 1280, scheme: "light" });
        await page.context().setOffline(true);
        await region.getByRole("button", { name: "Save my version as a draft" }).click();
        await page
          .getByText(/could not be reached/)
          .first()
          .waitFor();
        await region.getByText("your version of the document").waitFor();
        await page.context().setOffline(false);
        await region.getByRole("button", { name: "Save my version as a draft" }).click();
        await page.getByText("Saved as a new draft.").waitFor();
        await region.waitFor({ state: "detached" });
        const { data } = await invoke(service, operations.listDocuments, people.editor.actor, { status: ["draft"] });
        const [own, ...others] = data.filter(
          (each) => "title" in each && /^Two versions \(my version, .*\d{4}\)$/.test(each.title),
        );
        expect(others).toEqual([]);
        const text = "# Plan\n\nBefore.\n\n- one\n- two and what I wrote offline\n";
        expect(await markdownOf(site, own?.id ?? "")).toBe(text);
        expect(await markdownOf(site, id)).toBe("# Plan\n\nOther.\n");
      },
      [/ERR_INTERNET_DISCONNECTED|live|app\.events/],
      [/documents/],
    );
  });

  it.each([
    ["has no IndexedDB", () => Object.defineProperty(window, "indexedDB", { value: undefined })],
    [
      "cannot open IndexedDB",
      () => {
        IDBFactory.prototype.open = () => {
          throw new DOMException("Refused", "SecurityError");
        };
      },
    ],
    [
      "fails to open IndexedDB later",
      () => {
        IDBFactory.prototype.open = () => {
          const request = new EventTarget();
          Object.assign(request, { error: new DOMException("Broken", "UnknownError") });
          setTimeout(() => Reflect.get(request, "onerror")?.(new Event("error")));
          return request as IDBOpenDBRequest;
        };
      },
    ],
  ])(
    "a browser that %s says in words what is on the page only, asks before it closes, and sends the text",
    {
      meta: { proves: ["web.writing.kept"] },
      timeout,
    },
    async (_name, take) => {
      const id = await createDocument(site, "No storage", "Before.");
      const possible = [/503 .*live\.push/];
      await site.withPage(site.setting.world.people.editor, { possible }, async (page) => {
        await page.addInitScript(take);
        await openEditor(site, page, id);
        await toEnd(page);
        await page.keyboard.type(" Sent.");
        await status(page, /^Saved$/);
        cutOff();
        await page.keyboard.type(" Here only.");
        await status(page, /^Not saved: .* on this page only, because this browser keeps nothing/);
        expect(await askedOnClose(page)).toBe("beforeunload");
        site.intercept(undefined);
        await status(page, /^Saved$/);
        await expect.poll(() => markdownOf(site, id)).toBe("Before. Sent. Here only.\n");
      });
      site.intercept(undefined);
    },
  );

  it("a title whose page is closed right after a key, before the device has it, is there after a reload, and is saved then", {
    meta: { proves: ["web.writing.kept"] },
    timeout,
  }, async () => {
    await editing(
      "Old name",
      async (page, id) => {
        await keepDeviceBusy(page);
        await page.getByRole("textbox", { name: "Title" }).fill("New name");
        await page.reload();
        await expect.poll(() => page.getByRole("textbox", { name: "Title" }).inputValue()).toBe("New name");
        await status(page, /^Saved$/);
        const { service, people } = site.setting.world;
        const { title } = await invoke(service, operations.getDocument, people.editor.actor, { id });
        expect(title).toBe("New name");
        await expect.poll(() => device(page)).not.toContain("New name");
      },
      [],
    );
  });

  it("a title that was not sent is there after a reload, and is saved then", {
    meta: { proves: ["web.writing.kept"] },
    timeout,
  }, async () => {
    await editing(
      "Old title",
      async (page, id) => {
        site.intercept((path, method) =>
          path.startsWith("/api/v1/documents/") && method !== "GET" ? down() : undefined,
        );
        await page.getByRole("textbox", { name: "Title" }).fill("New title");
        await status(page, /^The title is not saved/);
        await kept(page, "New title");
        await page.reload();
        await expect.poll(() => page.getByRole("textbox", { name: "Title" }).inputValue()).toBe("New title");
        site.intercept(undefined);
        await status(page, /^Saved$/);
        const { service, people } = site.setting.world;
        const { title } = await invoke(service, operations.getDocument, people.editor.actor, { id });
        expect(title).toBe("New title");
      },
      [/503 .*documents/],
    );
  });
});
