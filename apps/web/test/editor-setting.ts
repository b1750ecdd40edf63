import { invoke, operations } from "@kb/core";
import type { Locator, Page } from "playwright-core";
import type { Site } from "./site.ts";

/** The field of the editor. */
export const editorOf = (page: Page): Locator => page.getByRole("textbox", { name: "Text", exact: true });

/** Waits until the page says something about what is written. */
export const status = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole("main").getByRole("status").getByText(text).waitFor();

/** Puts the caret at the end of the text. */
export async function toEnd(page: Page): Promise<void> {
  await editorOf(page).click();
  await page.keyboard.press("Control+End");
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

/** Opens a document for writing. */
export async function openEditor({ origin }: Site, page: Page, id: string): Promise<Locator> {
  await page.goto(`${origin}/documents/${id}?edit=true`);
  const editor = editorOf(page);
  await editor.waitFor();
  return editor;
}
