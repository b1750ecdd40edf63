import { invoke, operations } from "@kb/core";
import { inApp, type Person } from "@kb/core/testing";
import { inspect, timeout } from "@kb/testing/chromium";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  askedOnClose,
  caretRead,
  createDocument,
  editorOf,
  markdownOf,
  openEditor,
  status,
  toEnd,
  whileAnswering,
} from "./editor-setting.ts";
import { openSite, type Site, settled } from "./site.ts";

describe("the editor in Chromium", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close(), timeout);

  const create = (title: string, text: string): Promise<string> => createDocument(site, title, text);
  const textOf = (id: string): Promise<string> => markdownOf(site, id);
  const editing = (
    person: Person,
    id: string,
    use: (page: Page, editor: Locator) => Promise<void>,
    expected: RegExp[] = [],
  ) => site.withPage(person, { expected }, async (page) => use(page, await openEditor(site, page, id)));

  it.each([
    ["a heading", "# Plan", "# Plan\n"],
    ["marks", "Be **bold** and *kind*, `run` ~~no~~.", "Be **bold** and *kind*, `run` ~~no~~.\n"],
    ["a list", "- one\ntwo\n\nText", "- one\n- two\n\nText\n"],
    ["a numbered list", "3. three\nfour", "3. three\n4. four\n"],
    ["tasks", "[x] done\nopen", "- [x] done\n- [ ] open\n"],
    ["a quote", "> Said.", "> Said.\n"],
    ["code", "```ts const a = 1;", "```ts\nconst a = 1;\n```\n"],
    ["a callout", "> [!Warning] Careful.", "> [!WARNING]\n> Careful.\n"],
    ["a link", "See [**it**](https://example.org/a) now.", "See [**it**](https://example.org/a) now.\n"],
    ["an address of a script", "[it](javascript:a) stays", "\\[it](javascript:a) stays\n"],
    ["a divider", "Above\n---Below", "Above\n\n---\n\nBelow\n"],
  ])("%s is typed as in Markdown, and saved as that", { timeout }, async (_name, typed, saved) => {
    const id = await create("Typed", "");
    await editing(site.setting.world.people.editor, id, async (page, editor) => {
      await editor.click();
      for (const [index, line] of typed.split("\n").entries()) {
        if (index > 0) await page.keyboard.press("Enter");
        await page.keyboard.type(line);
      }
      await status(page, /^Saved$/);
      await expect.poll(() => textOf(id)).toBe(saved);
    });
  });

  it("two people who type in one document see each other's text, and an assistant's; nothing is lost", {
    meta: { proves: ["web.editor.together"] },
    timeout,
  }, async () => {
    const { service, people } = site.setting.world;
    const id = await create("Together", "First.\n\nLast.");
    await editing(people.editor, id, async (ada, adasEditor) => {
      await editing(people.admin, id, async (bob, bobsEditor) => {
        await toEnd(ada);
        await bobsEditor.click();
        await bob.keyboard.press("Control+Home");
        await Promise.all([
          ada.keyboard.type(" Words of Ada, who writes at the end.", { delay: 15 }),
          bob.keyboard.type("Words of Bob, who writes first. ", { delay: 15 }),
          invoke(service, operations.editDocument, people.editor.actor, {
            id,
            op: "append",
            markdown: "By REST.",
          }),
        ]);
        const expected = [
          "Words of Bob, who writes first. First.",
          "Last. Words of Ada, who writes at the end.",
          "By REST.",
        ];
        for (const editor of [adasEditor, bobsEditor]) {
          for (const text of expected) await editor.getByText(text, { exact: true }).waitFor();
        }
        await Promise.all([status(ada, /^Saved$/), status(bob, /^Saved$/)]);
        await expect.poll(() => textOf(id)).toBe(`${expected.join("\n\n")}\n`);
        expect(await adasEditor.textContent()).toBe(await bobsEditor.textContent());
      });
    });
  });

  it("while the service is away the page says how many changes wait, asks before it closes, and sends them later", {
    meta: { proves: ["web.writing.kept"] },
    timeout,
  }, async () => {
    const id = await create("Cut off", "Before.");
    await editing(
      site.setting.world.people.editor,
      id,
      async (page) => {
        site.intercept((path) =>
          path === "/api/live.push"
            ? Response.json({ error: "Down.", code: "unavailable" }, { status: 503 })
            : undefined,
        );
        await toEnd(page);
        await page.keyboard.type(" After.");
        await status(page, /^Not saved: 7 changes are kept/);
        expect(await askedOnClose(page)).toBe("beforeunload");
        site.intercept(undefined);
        await status(page, /^Saved$/);
        await expect.poll(() => textOf(id)).toBe("Before. After.\n");
      },
      [/503 .*live\.push/],
    );
  });

  it("what waits when the writer goes to another page is sent from there", {
    meta: { proves: ["web.writing.kept"] },
    timeout,
  }, async () => {
    const id = await create("Left early", "Before.");
    await editing(
      site.setting.world.people.editor,
      id,
      async (page, editor) => {
        site.intercept((path) =>
          path === "/api/live.push"
            ? Response.json({ error: "Down.", code: "unavailable" }, { status: 503 })
            : undefined,
        );
        await toEnd(page);
        await page.keyboard.type(" Still sent.");
        await status(page, /^Not saved/);
        await page
          .getByRole("navigation", { name: "Breadcrumb" })
          .or(page.getByRole("link", { name: "Home" }))
          .first()
          .click();
        await editor.waitFor({ state: "detached" });
        site.intercept(undefined);
        await expect.poll(() => textOf(id), { timeout: 30_000 }).toBe("Before. Still sent.\n");
      },
      [/503 .*live\.push/],
    );
  });

  it("Tab moves in lists and tables only, Escape and Tab leave the text, Alt+F10 leads to the toolbar", {
    meta: { proves: ["web.editor.keys"] },
    timeout,
  }, async () => {
    const code = `\`\`\`\n${"wide ".repeat(60)}\n\`\`\``;
    const id = await create("Keys", `Text.\n\n- one\n- two\n\n| a | b |\n| - | - |\n| c | d |\n\n${code}\n`);
    await editing(site.setting.world.people.editor, id, async (page, editor) => {
      // The browser tells the editor of a click some time later, before any person's next key.
      const toolbar = page.getByRole("toolbar", { name: "Formatting" });
      const inTable = toolbar.getByRole("button", { name: "Rows and columns" });
      const inText = async (): Promise<void> => {
        await editor.getByText("Text.").click();
        await inTable.waitFor({ state: "detached" });
      };
      await editor.getByText("two").click();
      await expect
        .poll(() => toolbar.getByRole("button", { name: "Bullet list" }).getAttribute("aria-pressed"))
        .toBe("true");
      await page.keyboard.press("Tab");
      await status(page, /^Saved$/);
      await expect.poll(() => textOf(id)).toContain("- one\n  - two");
      await editor.getByText("d", { exact: true }).click();
      await inTable.waitFor();
      await page.keyboard.press("Tab");
      await page.keyboard.type("new");
      await editor.getByRole("cell", { name: "new" }).waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("Tab");
      const hasFocus = (): Promise<boolean> => editor.evaluate((node) => node.contains(document.activeElement));
      await expect.poll(hasFocus).toBe(false);
      await inText();
      await page.keyboard.press("Tab");
      await expect.poll(hasFocus).toBe(false);
      await inText();
      await page.keyboard.press("Alt+F10");
      const undoButton = toolbar.getByRole("button", { name: "Undo" });
      await expect.poll(() => undoButton.evaluate((node) => node === document.activeElement)).toBe(true);
      await page.keyboard.press("Escape");
      await expect.poll(() => editor.evaluate((node) => node === document.activeElement)).toBe(true);
    });
  });

  it("the toolbar formats what is selected and shows what is on; undo takes back only one's own changes", {
    meta: { proves: ["web.editor.keys"] },
    timeout,
  }, async () => {
    const { service, people } = site.setting.world;
    const id = await create("Toolbar", "Some text.");
    await editing(people.editor, id, async (page, editor) => {
      const toolbar = page.getByRole("toolbar", { name: "Formatting" });
      await editor.click();
      await page.keyboard.press("Control+Home");
      for (let count = 0; count < 4; count++) await page.keyboard.press("Shift+ArrowRight");
      await toolbar.getByRole("button", { name: "Bold" }).click();
      await expect.poll(() => toolbar.getByRole("button", { name: "Bold" }).getAttribute("aria-pressed")).toBe("true");
      await toolbar.getByRole("button", { name: "Link" }).click();
      const field = page.getByRole("searchbox", { name: "Title of a document, or an address" });
      await field.fill("javascript:alert(1)");
      await page.keyboard.press("Enter");
      await page.getByText("it is not an address that a document can link to").waitFor();
      await field.fill("example.org");
      await page.keyboard.press("Enter");
      await editor.getByRole("link").waitFor();
      await status(page, /^Saved$/);
      await expect.poll(() => textOf(id)).toBe("[**Some**](https://example.org) text.\n");
      await invoke(service, operations.editDocument, people.admin.actor, {
        id,
        op: "append",
        markdown: "Theirs.",
      });
      await editor.getByText("Theirs.").waitFor();
      await editor.click();
      for (let count = 0; count < 3; count++) await page.keyboard.press("Control+z");
      await status(page, /^Saved$/);
      await expect.poll(() => textOf(id), { timeout: 30_000 }).toBe("Some text.\n\nTheirs.\n");
    });
  });

  it("pasted Markdown becomes what it means, pasted HTML what the schema knows, and nothing runs or is reported", {
    meta: { proves: ["web.editor.paste"] },
    timeout,
  }, async () => {
    const id = await create("Pasted", "");
    await editing(site.setting.world.people.editor, id, async (page, editor) => {
      const paste = (types: Record<string, string>) =>
        editor.evaluate((node, data) => {
          const clipboardData = new DataTransfer();
          for (const [type, text] of Object.entries(data)) clipboardData.setData(type, text);
          node.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
        }, types);
      await editor.click();
      await paste({ "text/plain": "# Title\n\n- a\n- [ ] task\n\n| x | y |\n| - | - |\n| 1 | 2 |\n" });
      await editor.getByRole("heading", { name: "Title" }).waitFor();
      await page.keyboard.press("Control+End");
      await page.keyboard.press("Control+End");
      const hostile = `<meta charset="utf-8"><b style="font-weight:normal"><p style="color:red" onclick="window.ran=1">Plain <strong>strong</strong>
        <a href="javascript:window.ran=1">bad</a> <a href="https://example.org">good</a><img src="x:y" onerror="window.ran=1"><script>window.ran=1</script></p></b>`;
      await paste({ "text/html": hostile, "text/plain": "Plain" });
      await editor.getByRole("link", { name: "good" }).waitFor();
      await page.keyboard.press("Control+End");
      await paste({ "text/plain": "half \uD83D, nothing \0." });
      await editor.getByText("half \uFFFD, nothing \uFFFD.").waitFor();
      await status(page, /^Saved$/);
      await expect.poll(() => textOf(id)).toContain("half");
      const text = await textOf(id);
      expect(text).toContain("half \uFFFD, nothing \uFFFD.");
      expect(text).toContain("# Title");
      expect(text).toContain("- [ ] task");
      expect(text).toContain("Plain **strong**");
      expect(text).toContain("[good](https://example.org)");
      expect(text).not.toContain("javascript");
      expect(await page.evaluate(() => "ran" in window)).toBe(false);
    });
  });

  it("Markdown is pasted as text with Shift, and by the notice after it until more is written", {
    meta: { proves: ["web.editor.paste"] },
    timeout,
  }, async () => {
    const id = await create("As text", "");
    await editing(site.setting.world.people.editor, id, async (page, editor) => {
      const paste = () =>
        editor.evaluate((node) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text/plain", "# Plan\n\n- one");
          node.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
        });
      const instead = page.getByRole("button", { name: "Paste as text instead" });
      await editor.click();
      await page.keyboard.type("Notes: ");
      await paste();
      await editor.getByText("one").waitFor();
      await instead.click();
      await editor.getByText("Notes: # Plan").waitFor();
      for (let count = 0; count < 4 && (await editor.textContent()) !== ""; count++) {
        await page.keyboard.press("Control+z");
      }
      await page.keyboard.down("Shift");
      await paste();
      await page.keyboard.up("Shift");
      await editor.getByText("# Plan").waitFor();
      await page.keyboard.press("Control+z");
      await paste();
      await editor.getByRole("heading", { name: "Plan" }).waitFor();
      await instead.click();
      await editor.getByText("# Plan").waitFor();
      expect(await editor.getByRole("heading").count()).toBe(0);
      await page.keyboard.type(" and two");
      await status(page, /^Saved$/);
      await expect.poll(() => textOf(id)).toBe("\\# Plan\n\n\\- one and two\n");
      await page.keyboard.press("Enter");
      await paste();
      await editor.getByRole("heading", { name: "Plan" }).waitFor();
      await page.keyboard.type("!");
      await instead.last().click();
      await page.getByText("You have changed the text since. To paste it as text, hold Shift.").waitFor();
      await editor.getByRole("heading", { name: "Plan" }).waitFor();
    });
  });

  it("a pasted address links the selected text, and the keys for a link at the caret change and remove it", {
    meta: { proves: ["web.editor.paste", "web.editor.keys"] },
    timeout,
  }, async () => {
    const id = await create("Links", "Text");
    await editing(site.setting.world.people.editor, id, async (page, editor) => {
      await editor.click();
      await page.keyboard.press("Control+Home");
      await page.keyboard.press("Shift+End");
      await editor.evaluate((node) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", "https://example.org/one");
        node.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      });
      await expect.poll(() => textOf(id)).toBe("[Text](https://example.org/one)\n");
      await page.keyboard.press("Control+Home");
      await page.keyboard.press("ArrowRight");
      // The browser tells the editor of the caret with its next picture, before any person's next key.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
      const change = async (address: string): Promise<void> => {
        await page.keyboard.press("Control+k");
        const field = page.getByRole("searchbox", { name: "Title of a document, or an address" });
        await field.fill(address);
        if (address === "") await page.getByRole("menuitem", { name: "Remove the link" }).click();
        else await page.keyboard.press("Enter");
        await field.waitFor({ state: "detached" });
      };
      await change("/documents/two");
      await expect.poll(() => textOf(id)).toBe("[Text](/documents/two)\n");
      await change("");
      await expect.poll(() => textOf(id)).toBe("Text\n");
    });
  });

  it("Markdown that is saved in another form than it was written in is told, and its lines are shown when asked for", {
    meta: { proves: ["web.editor.source"] },
    timeout: 2 * timeout,
  }, async () => {
    const id = await create("Forms", "Text\n");
    await site.withPage(site.setting.world.people.editor, {}, async (page) => {
      const write = async (text: string, button: string): Promise<void> => {
        await page.goto(`${site.origin}/documents/${id}?edit=source`);
        await page.getByRole("textbox", { name: "Markdown" }).fill(text);
        await page.getByRole("button", { name: button }).click();
      };
      await write("# Same\n\nText\n", "Done");
      await page.getByRole("article").getByText("Same").waitFor();
      await settled(page);
      // Markdown that needs no other form: there is nothing to tell.
      expect(await page.getByText(/saved in another form/).count()).toBe(0);
      const notice = page.getByRole("status").getByText("Your Markdown is saved in another form");
      await write("# Title\nText with __bold__ letters\n\nLast\n----\n\nEnd\n", "Formatted text");
      await notice.waitFor();
      expect(await notice.textContent()).toBe("Your Markdown is saved in another form in 2 places.");
      await page.getByRole("button", { name: "Show changes" }).click();
      const dialog = page.getByRole("dialog", { name: "Saved in another form" });
      await dialog.getByText("Text with **bold** letters").waitFor();
      expect(await dialog.getByText("Text with __bold__ letters").evaluate(({ localName }) => localName)).toBe("del");
      await inspect(page, "rewritten", { width: 1280, scheme: "light" });
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    });
  });

  it("the source and the formatted text lead to each other, and both save", {
    meta: { proves: ["web.editor.source"] },
    timeout,
  }, async () => {
    const id = await create("Two ways", "Before.");
    await editing(site.setting.world.people.editor, id, async (page) => {
      await toEnd(page);
      await page.keyboard.type(" Formatted.");
      await page.getByRole("button", { name: "Markdown source" }).click();
      const source = page.getByRole("textbox", { name: "Markdown" });
      await source.waitFor();
      expect(await source.inputValue()).toBe("Before. Formatted.\n");
      await source.fill("Before. Formatted. *Source.*");
      await page.getByRole("button", { name: "Formatted text" }).click();
      await editorOf(page).getByText("Source.").waitFor();
      await expect.poll(() => textOf(id)).toBe("Before. Formatted. *Source.*\n");
    });
  });

  it("commands of tables load with the first caret in a table; where they do not come the page says so, and later they work", {
    meta: { proves: ["web.editor.keys"] },
    timeout,
  }, async () => {
    const id = await create("Table", "Text.\n\n| a |\n| --- |\n| b |\n");
    const possible = [/ERR_INTERNET_DISCONNECTED|ERR_FAILED|table-commands|Failed to fetch/];
    await site.withPage(site.setting.world.people.editor, { possible }, async (page) => {
      const cutOff = Promise.withResolvers<void>();
      await page.route("**/table-commands-*", (route) => cutOff.promise.then(() => route.abort()));
      const editor = await openEditor(site, page, id);
      const addRow = (): Promise<void> => page.keyboard.press("Tab");
      await page.context().setOffline(true);
      cutOff.resolve();
      await editor.getByText("b", { exact: true }).click();
      await caretRead(page);
      await addRow();
      await page.getByRole("status").getByText("could not be reached").first().waitFor();
      expect(await editor.getByRole("row").count()).toBe(2);
      await page.unroute("**/table-commands-*");
      await page.context().setOffline(false);
      await addRow();
      await expect.poll(() => editor.getByRole("row").count()).toBe(3);
      await expect.poll(() => textOf(id), { timeout: 30_000 }).toBe("Text.\n\n| a |\n| --- |\n| b |\n|  |\n");
    });
  });

  it("a long text whose groups do not come is written as any other, and is drawn in groups once they come", {
    timeout,
  }, async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`);
    const id = await create("Long", lines.join("\n\n"));
    const possible = [/ERR_FAILED|block-groups|Failed to fetch/];
    await site.withPage(site.setting.world.people.editor, { possible }, async (page) => {
      await page.route("**/block-groups-*", (route) => route.abort());
      const editor = await openEditor(site, page, id);
      const areLaidOut = (): Promise<boolean> =>
        editor
          .locator("p")
          .evaluateAll((all) => all.every((one) => one.checkVisibility({ contentVisibilityAuto: true })));
      await toEnd(page);
      await page.keyboard.type(" is the last");
      expect(await areLaidOut()).toBe(true);
      await status(page, /^Saved$/);
      await page.unroute("**/block-groups-*");
      // It is asked for again after 5 seconds.
      await expect.poll(areLaidOut, { timeout: 30_000 }).toBe(false);
      await page.keyboard.type(" of all");
      await status(page, /^Saved$/);
      await expect.poll(() => textOf(id)).toBe(`${lines.join("\n\n")} is the last of all\n`);
    });
  });

  it("source that the schema has no node for is changed in its place, and arrows lead out of it", {
    meta: { proves: ["web.editor.exact", "web.editor.keys"] },
    timeout,
  }, async () => {
    const id = await create("Source", "Before.\n\n<div>\nold\n</div>\n\n<!-- unseen -->\n\nAfter.");
    await editing(site.setting.world.people.editor, id, async (page, editor) => {
      const sources = editor.getByRole("textbox", { name: "Source" });
      expect(
        await sources.evaluateAll((fields) => fields.map((field) => (field as HTMLTextAreaElement).value)),
      ).toEqual(["<div>\nold\n</div>", "<!-- unseen -->"]);
      await sources.first().fill("");
      await sources.first().pressSequentially("<div>");
      await page.keyboard.press("Enter");
      await page.keyboard.type("new");
      await page.keyboard.press("Enter");
      await page.keyboard.type("</div>");
      await page.keyboard.press("Control+End");
      await page.keyboard.press("ArrowDown");
      await expect.poll(() => editor.evaluate((node) => node === document.activeElement)).toBe(true);
      await status(page, /^Saved$/);
      await expect.poll(() => textOf(id)).toBe("Before.\n\n<div>\nnew\n</div>\n\n<!-- unseen -->\n\nAfter.\n");
    });
  });

  it("front matter is a sign with its name, and opens to be changed", {
    meta: { proves: ["web.editor.exact"] },
    timeout,
  }, async () => {
    const id = await create("Front matter", "---\nowner: nobody\n---\n\nText.");
    await editing(site.setting.world.people.editor, id, async (page, editor) => {
      const field = editor.getByRole("textbox", { name: "Front matter" });
      const sign = (): Promise<string> =>
        field.evaluate((element) => getComputedStyle(element.parentElement ?? element, "::after").content);
      expect(await sign()).toBe('"Front matter"');
      await field.click();
      expect(await sign()).toBe("none");
      expect(await field.inputValue()).toBe("---\nowner: nobody\n---");
      await field.fill("---\nowner: Ada\n---");
      await status(page, /^Saved$/);
      await expect.poll(() => textOf(id)).toBe("---\nowner: Ada\n---\n\nText.\n");
    });
  });

  it("a lost right to write makes the text read-only, one to read takes it away, and what was not sent is offered", {
    meta: { proves: ["web.editor.access"] },
    timeout,
  }, async () => {
    const { service, people } = site.setting.world;
    const admin = inApp(people.admin);
    const { id: collectionId } = await invoke(service, operations.createCollection, admin, {
      name: "Closed meanwhile",
    });
    const allow = (defaultAccess: "none" | "read" | "write") =>
      invoke(service, operations.setDefaultAccess, admin, { id: collectionId, defaultAccess });
    await allow("write");
    const input = { collectionId, title: "Closed meanwhile", text: "Before.", publish: true };
    const { id } = await invoke(service, operations.createDocument, admin, input);
    const down = (path: string) =>
      path.startsWith("/api/live.push")
        ? Response.json({ error: "Down.", code: "unavailable" }, { status: 503 })
        : undefined;
    const problems = { expected: [/503 .*live\.push/, /404 /], possible: [/403 /] };
    await site.withPage(people.editor, problems, async (page) => {
      await openEditor(site, page, id);
      await whileAnswering(site, down, async () => {
        await toEnd(page);
        await page.keyboard.type(" Not sent.");
        await status(page, /^Not saved/);
        await allow("read");
      });
      await page.locator(".editor[contenteditable=true]").waitFor({ state: "detached" });
      // In the editor, or in a notice over the page that shows the document to readers.
      const offered = page.getByText("Not sent.").first();
      await offered.waitFor();
      expect(await textOf(id)).toBe("Before.\n");
      await allow("none");
      await page.getByText("Nothing here, or you don’t have access.").waitFor();
      await offered.waitFor();
      expect(await page.content()).not.toContain("Before.");
    });
  });
});
