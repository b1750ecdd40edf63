import { inspect, timeout } from "@kb/testing/chromium";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  askedOnClose,
  createDocument,
  editDocument,
  expectSaved,
  markdownOf,
  openEditor,
  status,
  toEnd,
  toStart,
  type Writing,
  whileAnswering,
} from "./editor-setting.ts";
import { picture } from "./screens.ts";
import { openSite, type Site } from "./site.ts";

type GivenFile = { readonly name: string; readonly type: string; readonly base64: string };

const pixel = (name: string): GivenFile => ({ name, type: "image/gif", base64: picture.toString("base64") });

/** Drops or pastes files onto an element. */
const give = (target: Locator, how: "drop" | "paste", files: readonly GivenFile[]): Promise<void> =>
  target.evaluate(
    (element, { event, given }) => {
      const data = new DataTransfer();
      for (const { name, type, base64 } of given) {
        data.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name, { type }));
      }
      const { x, y } = element.getBoundingClientRect();
      const options = { bubbles: true, cancelable: true };
      element.dispatchEvent(
        event === "paste"
          ? new ClipboardEvent("paste", { clipboardData: data, ...options })
          : new DragEvent("drop", { dataTransfer: data, clientX: x + 2, clientY: y + 2, ...options }),
      );
    },
    { event: how, given: files },
  );

describe("pictures and files in the editor, in Chromium", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close(), timeout);

  const editing = (id: string, use: Writing, expected: readonly RegExp[] = []): Promise<void> =>
    editDocument(site, id, use, { expected });
  const address = /!\[\]\(http:\/\/127\.0\.0\.1:\d+\/files\/[\w-]+\/([\w.%-]+)\)/g;
  const namesIn = async (id: string): Promise<(string | undefined)[]> =>
    [...(await markdownOf(site, id)).matchAll(address)].map(([, name]) => name);

  it("pictures within pasted HTML are uploaded to their places, beside what is there and what is typed meanwhile", {
    meta: { proves: ["web.editor.upload", "web.editor.paste"] },
    timeout,
  }, async () => {
    const id = await createDocument(site, "Mail", "Start: ");
    const image = (type = "gif") => `<img src="data:image/${type};base64,${picture.toString("base64")}">`;
    const cells = `<table><tr><th>A</th><th>B</th></tr><tr><td>x</td><td>${image()}</td></tr></table>`;
    const html = `<p>One<br>${image()}<br>more<b>${image("jpg")}</b></p><p>${image()}${image()}</p><ul><li>Two</li></ul><p>Three ${image("svg+xml")}end</p>${cells}`;
    await editing(id, async (page, editor) => {
      await toEnd(page);
      await editor.evaluate((element, pasted) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/html", pasted);
        clipboardData.setData("text/plain", "One Two Three");
        element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      }, html);
      await editor.getByText("Three end").waitFor();
      await page.keyboard.press("Control+Home");
      await page.keyboard.type("At the ");
      const picture = ["PICTURE", ""];
      const table = ["| A | B |", "| --- | --- |", "| x | PICTURE |", ""];
      const parts = async (): Promise<string[]> => (await markdownOf(site, id)).replace(address, "PICTURE").split("\n");
      await expect
        .poll(parts)
        .toEqual([
          "At the Start:One",
          "",
          ...picture,
          "more",
          "",
          ...picture,
          ...picture,
          ...picture,
          "- Two",
          "",
          "Three end",
          "",
          ...table,
        ]);
    });
  });

  it("a picture that is pasted as a file and within HTML is there once, and none where the paste was undone", {
    meta: { proves: ["web.editor.upload", "web.editor.paste"] },
    timeout,
  }, async () => {
    const id = await createDocument(site, "Copied", "Start");
    const image = `<img src="data:image/gif;base64,${picture.toString("base64")}">`;
    await editing(id, async (page, editor) => {
      const paste = (html: string, files: readonly GivenFile[]): Promise<void> =>
        editor.evaluate(
          (element, given) => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/html", given.html);
            for (const { name, type, base64 } of given.files) {
              const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
              clipboardData.items.add(new File([bytes], name, { type }));
            }
            element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
          },
          { html, files },
        );
      await toEnd(page);
      await paste(image, [pixel("copied.gif")]);
      await expect.poll(() => namesIn(id)).toEqual(["copied.gif"]);
      await page.route("**/api/attachments.upload", async (route) => {
        await page.keyboard.press("Control+z");
        await route.continue();
      });
      await toEnd(page);
      await paste(`<p>Undone</p>${image}${image}`, []);
      await editor.getByText("Undone").waitFor();
      await expect.poll(() => editor.getByText("Undone").count()).toBe(0);
      await status(page, /^Saved$/);
      expect((await namesIn(id)).length).toBeLessThanOrEqual(2);
    });
  });

  it("a picture is chosen by keyboard, shown, saved, and described when the writer wants to", {
    meta: { proves: ["web.editor.upload", "web.editor.insert"] },
    timeout,
  }, async () => {
    const id = await createDocument(site, "Chosen", "Text");
    await editing(id, async (page, editor) => {
      await toEnd(page);
      await page.keyboard.type(" /pict");
      const choosing = page.waitForEvent("filechooser");
      await page.getByRole("option", { name: "Picture" }).waitFor();
      await page.keyboard.press("Enter");
      const file = { name: "dot one.gif", mimeType: "image/gif", buffer: picture };
      await (await choosing).setFiles([file]);
      await expect
        .poll(() => editor.locator("img[src]").evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBe(1);
      await expect.poll(() => namesIn(id)).toEqual(["dot%20one.gif"]);
      await page.getByRole("button", { name: "Describe" }).click();
      const field = page.getByRole("textbox", { name: "Description of the picture" });
      await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
      await inspect(page, "editor-picture", { width: 1280, scheme: "light" });
      await page.keyboard.type("A dot");
      await page.keyboard.press("Enter");
      await expect.poll(() => markdownOf(site, id)).toMatch(/^Text\n\n!\[A dot\]\(.+dot%20one\.gif\)\n$/);
    });
  });

  it("the address of a selected picture is shown and changed with its description, unless no picture can have it", {
    meta: { proves: ["web.editor.keys"] },
    timeout,
  }, async () => {
    const first = "https://pictures.test/first.gif";
    const second = "https://pictures.test/second.gif";
    const id = await createDocument(site, "Address", `![Dot](${first})`);
    await site.withPage(site.setting.world.people.editor, {}, async (page) => {
      await page.route("https://pictures.test/*", (route) =>
        route.fulfill({ contentType: "image/gif", body: picture }),
      );
      const editor = await openEditor(site, page, id);
      await editor.locator("img[src]").click();
      const field = page.getByRole("textbox", { name: "Address of the picture" });
      expect(await field.inputValue()).toBe(first);
      for (const address of [
        "javascript:alert(1)",
        "data:image/gif;base64,R0lGOD",
        "mailto:a@b.test",
        "https://a b",
        "",
      ]) {
        await field.fill(address);
        await field.press("Enter");
        await page.getByRole("alert").getByText("A picture cannot have this address").waitFor();
        expect(await field.getAttribute("aria-invalid"), address).toBe("true");
      }
      await inspect(page, "editor-picture-address", { width: 320, scheme: "light" });
      const ofThisSite = page.getByText("Without https://, this address points to this site.");
      await field.fill("example.org/a.png");
      await ofThisSite.waitFor();
      await inspect(page, "editor-picture-of-this-site", { width: 320, scheme: "light" });
      for (const address of ["/files/a.png", second]) {
        await field.fill(address);
        await ofThisSite.waitFor({ state: "detached" });
      }
      await field.fill(` ${second} `);
      await page.getByRole("textbox", { name: "Description of the picture" }).fill("Another dot");
      await page.keyboard.press("Enter");
      await expectSaved(site, page, id, `![Another dot](${second})\n`);
      expect(await editor.evaluate((node) => node === document.activeElement)).toBe(true);
      await page.keyboard.press("Control+z");
      await expectSaved(site, page, id, `![Dot](${first})\n`);
    });
  });

  it("the form of a picture keeps what is typed in it, and what others change of the picture, while they write above", {
    meta: { proves: ["web.editor.together"] },
    timeout: 2 * timeout,
  }, async () => {
    const first = "https://pictures.test/first.gif";
    const second = "https://pictures.test/second.gif";
    const id = await createDocument(site, "Shared picture", `Above\n\n![Dot](${first})\n`);
    const { editor: one, admin: other } = site.setting.world.people;
    const open = (who: typeof one, use: Writing): Promise<void> =>
      site.withPage(who, {}, async (page) => {
        await page.route("https://pictures.test/*", (route) =>
          route.fulfill({ contentType: "image/gif", body: picture }),
        );
        await use(page, await openEditor(site, page, id));
      });
    const selectPicture = (editor: Locator): Promise<void> => editor.locator("img[src]").click();
    const description = (page: Page): Locator => page.getByRole("textbox", { name: "Description of the picture" });
    const address = (page: Page): Locator => page.getByRole("textbox", { name: "Address of the picture" });
    await open(one, (page, editor) =>
      open(other, async (otherPage, otherEditor) => {
        await selectPicture(editor);
        await description(page).fill("Typed");
        await toStart(otherPage);
        await otherPage.keyboard.type("Far ");
        await editor.getByText("Far Above").waitFor();
        expect(await description(page).inputValue()).toBe("Typed");
        await page.keyboard.type(" on");
        expect(await description(page).inputValue()).toBe("Typed on");
        await selectPicture(otherEditor);
        await address(otherPage).fill(second);
        await address(otherPage).press("Enter");
        await expect.poll(() => address(page).inputValue()).toBe(second);
        await description(page).press("Enter");
        await expectSaved(site, page, id, `Far Above\n\n![Typed on](${second})\n`);
      }),
    );
  });

  it("files that are dropped or pasted stand in their order, pictures as such and others as links", {
    meta: { proves: ["web.editor.upload"] },
    timeout,
  }, async () => {
    const id = await createDocument(site, "Dropped", "First\n\nLast");
    await editing(id, async (page, editor) => {
      await give(editor.getByText("First"), "drop", [pixel("a.gif"), pixel("b.gif")]);
      await expect.poll(() => namesIn(id)).toEqual(["a.gif", "b.gif"]);
      await toEnd(page);
      await page.keyboard.type(" See ");
      await give(editor, "paste", [{ name: "plan.txt", type: "text/plain", base64: btoa("The plan") }]);
      await editor.getByRole("link", { name: "plan.txt" }).waitFor();
      await status(page, /^Saved$/);
      await expect
        .poll(() => markdownOf(site, id))
        .toMatch(/^First\n\n!.+\n\n!.+\n\nLast See \[plan\.txt\]\(.+\/plan\.txt\)\n$/);
    });
  });

  it("one that fails is kept with Retry and Remove, nothing of it is saved, and the page asks before it closes", {
    meta: { proves: ["web.editor.upload"] },
    timeout,
  }, async () => {
    const id = await createDocument(site, "Failing", "Text");
    await editing(
      id,
      async (page, editor) => {
        const refuse = (path: string, method: string): Response | undefined =>
          method === "PUT" && path.startsWith("/api/attachments.upload/")
            ? Response.json({ error: "Down.", code: "unavailable" }, { status: 503 })
            : undefined;
        const list = page.getByRole("list", { name: "Files on their way" });
        await whileAnswering(site, refuse, async () => {
          await toEnd(page);
          await give(editor, "paste", [pixel("kept.gif"), pixel("gone.gif")]);
          await list.getByText(/kept\.gif.* was not uploaded/).waitFor();
          await list.getByText(/gone\.gif.* was not uploaded/).waitFor();
          await inspect(page, "editor-upload-failed", { width: 1280, scheme: "light" });
          await page.keyboard.type(" and more");
          await status(page, /^Saved$/);
          await expect.poll(() => markdownOf(site, id)).toBe("Text and more\n");
          await page.getByRole("button", { name: "Done" }).click();
          await page.getByRole("status").getByText("Files are not in the text yet.").first().waitFor();
          expect(await askedOnClose(page)).toBe("beforeunload");
          await page.getByRole("link", { name: "Trash" }).click();
          const asking = page.getByRole("dialog", { name: "Leave without the files?" });
          await asking.getByRole("button", { name: "Cancel" }).click();
          await asking.waitFor({ state: "detached" });
          expect(new URL(page.url()).pathname).toBe(`/documents/${id}`);
        });
        await list.getByRole("listitem").nth(1).getByRole("button", { name: "Remove" }).click();
        await list.getByRole("button", { name: "Try again" }).click();
        await expect.poll(() => namesIn(id)).toEqual(["kept.gif"]);
        expect(await list.count()).toBe(0);
      },
      [/503 .*attachments\.upload/, /503/],
    );
  });

  it("one that is too large, empty or of the wrong type is said before it is sent", {
    meta: { proves: ["web.editor.upload"] },
    timeout,
  }, async () => {
    const id = await createDocument(site, "Refused", "Text");
    await editing(id, async (page, editor) => {
      let sent = 0;
      const count = (path: string): undefined => {
        if (path.startsWith("/api/attachments.upload")) sent += 1;
      };
      await whileAnswering(site, count, async () => {
        const said = (text: RegExp): Promise<void> =>
          page.getByRole("alert").or(page.getByRole("status")).getByText(text).first().waitFor();
        await give(editor, "paste", [{ name: "empty.gif", type: "image/gif", base64: "" }]);
        await said(/empty\.gif.* was not sent: it is empty/);
        await give(editor, "paste", [{ name: "lie.png", type: "image/png", base64: btoa("<script>") }]);
        await said(/lie\.png.* was not sent: by its name/);
        await editor.evaluate((element) => {
          const data = new DataTransfer();
          data.items.add(new File([new Uint8Array(26 * 1024 * 1024)], "large.bin"));
          element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        });
        await said(/large\.bin.* at most 26 MB/);
      });
      expect(sent).toBe(0);
      expect(await markdownOf(site, id)).toBe("Text\n");
    });
  });
});
