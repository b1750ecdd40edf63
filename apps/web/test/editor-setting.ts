import { invoke, operations } from "@kb/core";
import type { WatchedOptions } from "@kb/testing/page-problems";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { Site } from "./site.ts";

/** The field of the editor. */
export const editorOf = (page: Page): Locator => page.getByRole("textbox", { name: "Text", exact: true });

/** Waits until the page says something about what is written. */
export const status = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole("main").getByRole("status").getByText(text).waitFor();

/** Puts the caret at the end of the text. */
export const toEnd = (page: Page): Promise<void> => toEdge(page, "End");

/** Puts the caret at the beginning of the text. */
export const toStart = (page: Page): Promise<void> => toEdge(page, "Home");

async function toEdge(page: Page, key: "Home" | "End"): Promise<void> {
  await editorOf(page).click();
  await caretRead(page);
  await page.keyboard.press(`Control+${key}`);
  await caretRead(page);
}

/** Waits until the editor knows the caret: the browser tells of it with its next picture, before any person's next key. */
export async function caretRead(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
}

/** Creates a published document by the editor of the site; returns its id. */
export async function createDocument({ setting: { world } }: Site, title: string, text: string): Promise<string> {
  const input = { collectionId: world.collections.open, title, text, publish: true };
  return (await invoke(world.service, operations.createDocument, world.people.editor.actor, input)).id;
}

/** Returns the Markdown of a document as the service has it. */
export async function markdownOf({ setting: { world } }: Site, id: string): Promise<string> {
  const input = { id, format: "markdown" } as const;
  return (await invoke(world.service, operations.getDocument, world.people.editor.actor, input)).markdownText ?? "";
}

/** Answers requests instead of the service while `use` runs, and not afterwards, even if it fails. */
export async function whileAnswering(
  site: Site,
  answer: Parameters<Site["intercept"]>[0],
  use: () => Promise<void>,
): Promise<void> {
  site.intercept(answer);
  try {
    await use();
  } finally {
    site.intercept(undefined);
  }
}

/** Opens a document for writing. */
export async function openEditor({ origin }: Site, page: Page, id: string): Promise<Locator> {
  await page.goto(`${origin}/documents/${id}?edit=true`);
  const editor = editorOf(page);
  await editor.waitFor();
  return editor;
}

/** What a test does with a page and the field in it. */
export type Writing = (page: Page, editor: Locator) => Promise<void>;

/** Opens a document for writing, as the editor of the site unless another is named, and closes the page afterwards. */
export function editDocument(
  site: Site,
  id: string,
  use: Writing,
  { who = "editor", ...options }: WatchedOptions & { readonly who?: "editor" | "admin" } = {},
): Promise<void> {
  return site.withPage(site.setting.world.people[who], options, async (page) =>
    use(page, await openEditor(site, page, id)),
  );
}

/** Waits until the page says that all is saved, and expects that the service has this Markdown. */
export async function expectSaved(site: Site, page: Page, id: string, text: string): Promise<void> {
  await status(page, /^Saved$/);
  await expect.poll(() => markdownOf(site, id)).toBe(text);
}

/** Asks the browser to close the page; returns the kind of the question that it shows, and stays. */
export async function askedOnClose(page: Page): Promise<string> {
  const asked = new Promise<string>((resolve) => {
    page.once("dialog", (dialog) => {
      resolve(dialog.type());
      void dialog.dismiss();
    });
  });
  await page.close({ runBeforeUnload: true });
  return asked;
}
