import { callerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();
const { world } = site.setting;
const editor = callerOf(world, world.people.editor);
const text = "- [ ] one\n  - [ ] **two** and more\n- [x] three\n";

const create = async (): Promise<string> =>
  (await editor.create({ title: "To do", text, publish: true, collectionId: world.collections.open })).id;
const markdownOf = async (id: string) => (await editor.get(id, { format: "markdown" })).markdownText;

async function open(page: Page, id: string): Promise<void> {
  await page.goto(`${site.origin}/documents/${id}`);
  await started(page);
}

describe("a task of a document that is read", () => {
  it("is ticked by those who may write, one after the other, and the focus stays on its box", { timeout }, async () => {
    const id = await create();
    await site.withPage(world.people.editor, {}, async (page) => {
      await open(page, id);
      await page.getByRole("checkbox", { name: "one" }).click();
      await page.getByRole("checkbox", { name: "three" }).click();
      await page.getByRole("checkbox", { name: "two and more" }).press("Space");
      await page.locator("article[data-key$='@4'] li li input[checked]:focus").waitFor();
    });
    expect(await markdownOf(id)).toBe(
      text.replace("[ ] one", "[x] one").replace("[x] three", "[ ] three").replace("[ ] **two**", "[x] **two**"),
    );
  });

  it("is ticked also where the page shows an earlier tick before that one is answered", { timeout }, async () => {
    const id = await create();
    await site.withPage(world.people.editor, {}, async (page) => {
      await open(page, id);
      const isTickedAll = Promise.withResolvers<void>();
      await page.route("**/edits", async (route) => {
        const response = await route.fetch();
        await isTickedAll.promise;
        await route.fulfill({ response });
      });
      await page.getByRole("checkbox", { name: "one" }).click();
      await page.getByRole("checkbox", { name: "three" }).click();
      await page.locator("article[data-key$='@2']").waitFor();
      await page.getByRole("checkbox", { name: "two and more" }).click();
      isTickedAll.resolve();
      await page.locator("article[data-key$='@4']").waitFor();
    });
    expect(await markdownOf(id)).toBe(text.replaceAll("[ ]", "[x]").replace("[x] three", "[ ] three"));
  });

  it("is not ticked by those who only read, nor in the archive", { timeout }, async () => {
    const id = await create();
    await site.withPage(world.people.viewer, {}, async (page) => {
      await open(page, id);
      expect(await page.getByRole("checkbox", { name: "one" }).isDisabled()).toBe(true);
    });
    await editor.archive(id);
    await site.withPage(world.people.editor, {}, async (page) => {
      await open(page, id);
      expect(await page.getByRole("checkbox", { name: "one" }).isDisabled()).toBe(true);
    });
  });

  it("has its former state again, with the reason, where the tick is refused", { timeout }, async () => {
    const id = await create();
    await site.withPage(world.people.editor, { expected: [/409 .*edits/] }, async (page) => {
      await open(page, id);
      site.intercept((path) =>
        path.endsWith("/edits")
          ? Response.json(
              { error: "The document is at revision 2, not 1.", code: "revision_conflict" },
              { status: 409 },
            )
          : undefined,
      );
      await page.getByRole("checkbox", { name: "one" }).click();
      await page.getByText("Somebody changed this document in the meantime.").first().waitFor();
      expect(await page.getByRole("checkbox", { name: "one" }).isChecked()).toBe(false);
      site.intercept(undefined);
    });
    expect(await markdownOf(id)).toBe(text);
  });

  it("is not sent, and has its former state again, where a tick before it meets a conflict", { timeout }, async () => {
    const id = await create();
    await site.withPage(world.people.editor, { expected: [/409 .*edits/] }, async (page) => {
      await open(page, id);
      const isTickedAll = Promise.withResolvers<void>();
      let sent = 0;
      await page.route("**/edits", async (route) => {
        sent += 1;
        await isTickedAll.promise;
        const json = { error: "The document is at revision 2, not 1.", code: "revision_conflict" };
        await route.fulfill({ status: 409, json });
      });
      const three = page.getByRole("checkbox", { name: "three" });
      await page.getByRole("checkbox", { name: "one" }).click();
      await three.click();
      expect(await three.isChecked()).toBe(false);
      isTickedAll.resolve();
      await expect.poll(() => three.isChecked()).toBe(true);
      expect(await page.getByRole("checkbox", { name: "one" }).isChecked()).toBe(false);
      expect(sent).toBe(1);
    });
  });
});
