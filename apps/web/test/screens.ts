import { invoke, operations } from "@kb/core";
import { callerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import type { Messages } from "../src/messages/index.ts";
import { type Site, settled, started } from "./site.ts";

/** A screen of the app, and how a test gets to it. */
export type ScreenCase = {
  readonly name: string;
  readonly path: string;
  /** Waits for what loads after the page, and opens what the screen is about. */
  readonly reach?: (page: Page, messages: Messages) => Promise<void>;
  /** Undoes what `reach` did to the browser or the service. */
  readonly leave?: (page: Page) => unknown;
  /** Whether only narrow pages have it. */
  readonly isNarrow?: boolean;
};

const markdown = `Read this first: a release on a **Friday** needs somebody who stays.

## Steps

1. Build
2. Ship

- [x] tested
- [ ] deployed

\`\`\`typescript
const answer: number = 42; // the answer to a question that is longer than the column of a narrow telephone
\`\`\`

## A table

| Name | Value | Reason |
| --- | ---: | --- |
| one | 1 | The first of all |

### More

> [!NOTE]
> Nobody deploys alone.

See [the guide](/documents/018f0000-0000-7000-8000-000000000000)[^1].

[^1]: A note.
`;

/** A picture of one grey pixel. */
export const picture = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** The same picture on a plane of 3,000 × 20 pixels. */
export const widePicture = Buffer.concat([
  picture.subarray(0, 6),
  Buffer.from([0xb8, 0x0b, 20, 0]),
  picture.subarray(10),
]);

/** Fills the team of a site so that no screen is empty; returns every screen. */
export async function fillScreens({ setting: { world } }: Site): Promise<ScreenCase[]> {
  const { service, people, collections } = world;
  const create = async (title: string, input: object = {}): Promise<string> => {
    const place = { collectionId: collections.open, publish: true };
    return (await invoke(service, operations.createDocument, people.editor.actor, { ...place, title, ...input })).id;
  };
  const id = await create("Deploying on Fridays", { text: "Read this first.", tags: ["howto", "release"] });
  await invoke(service, operations.updateDocument, people.admin.actor, { id, text: markdown, emoji: "🚀" });
  const attach = { documentId: id, name: "Checklist for a release on a Friday (final).gif", bytes: picture };
  await invoke(service, operations.attachBytes, people.editor.actor, attach);
  const notes = { ...attach, name: "خطة.txt", bytes: Buffer.from("Ship it.") };
  await invoke(service, operations.attachBytes, people.editor.actor, notes);
  await create("Rolling back", { parentDocumentId: id });
  await create("Who is on duty", { text: `See [how we deploy](/documents/${id}).` });
  await create("Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft", { tags: ["howto"] });
  await create("كيف ننشر الإصدارات", { text: "اقرأ هذا أولا." });
  const draft = { collectionId: collections.open, title: "Notes for the next release" };
  await invoke(service, operations.createDocument, people.admin.actor, draft);
  await invoke(service, operations.archiveDocument, people.editor.actor, { id: await create("Deploying by hand") });
  await invoke(service, operations.deleteDocument, people.editor.actor, { id: await create("Deploying on Sundays") });
  await callerOf(world, await world.session(people.admin)).run(operations.createStar, { id });
  return screensOf(`/documents/${id}`, `/collections/${collections.open}`);
}

function screensOf(document: string, collection: string): ScreenCase[] {
  const dialog = (page: Page): Promise<void> => page.locator("[role=dialog], dialog[open]").first().waitFor();
  // The list has this entry, and the field points at nothing that an earlier list had.
  const listed =
    (entry: string) =>
    async (page: Page): Promise<void> => {
      await page.locator("[role=dialog] [role=menuitem]", { hasText: entry }).first().waitFor();
      await page.waitForFunction(() => {
        const field = globalThis.document.querySelector("[role=dialog] input");
        const ids = ["aria-controls", "aria-activedescendant"].map((name) => field?.getAttribute(name));
        return ids.every((id) => !id || globalThis.document.getElementById(id) !== null);
      });
    };
  const fromMenu = (
    name: string,
    action: (messages: Messages) => string,
    settled?: (page: Page) => Promise<void>,
  ): ScreenCase => ({
    name,
    path: document,
    reach: async (page, messages) => {
      await page.getByRole("main").getByRole("button", { name: messages.actions }).click();
      await page.getByRole("menuitem", { name: action(messages), exact: true }).click();
      await dialog(page);
      await settled?.(page);
    },
  });
  return [
    { name: "home", path: "/" },
    { name: "collection", path: collection },
    ...(["editCollection", "manageAccess", "deleteCollection"] as const).map(
      (action): ScreenCase => ({
        name: `collection-${action}`,
        path: collection,
        reach: async (page, messages) => {
          await page.getByRole("main").locator(".actions button[aria-haspopup=menu]").click();
          await page.getByRole("menuitem", { name: messages[action], exact: true }).click();
          await dialog(page);
          if (action === "manageAccess") await page.locator("[role=dialog] select").first().waitFor();
          await settled(page);
        },
      }),
    ),
    {
      name: "collection-menu",
      path: `${collection}?sort=title`,
      reach: async (page) => {
        await page.getByRole("main").locator(".actions button[aria-haspopup=menu]").click();
        await page.getByRole("menuitem").first().waitFor();
      },
    },
    {
      name: "delete-file",
      path: document,
      reach: async (page) => {
        await page.locator(".files button").first().click();
        await dialog(page);
      },
    },
    { name: "document", path: document, reach: (page, { backlinks }) => heading(page, backlinks) },
    {
      name: "editing",
      path: `${document}?edit=source`,
      reach: (page, { markdownField }) => page.getByRole("textbox", { name: markdownField }).waitFor(),
    },
    {
      name: "editor",
      path: `${document}?edit=true`,
      reach: async (page, { editorLabel, statusSaved }) => {
        await page.getByRole("textbox", { name: editorLabel, exact: true }).waitFor();
        // The outline comes once nobody types.
        await page.locator(".aside > p").waitFor();
        await page.getByRole("main").getByRole("status").getByText(statusSaved, { exact: true }).waitFor();
      },
    },
    { name: "history", path: `${document}/history` },
    { name: "revision", path: `${document}/history/2`, reach: (page, { changes }) => heading(page, changes) },
    { name: "new", path: `/new?parent=${document.split("/").at(-1)}` },
    { name: "new-unchosen", path: "/new" },
    { name: "drafts", path: "/drafts" },
    { name: "archive", path: "/archive" },
    { name: "trash", path: "/trash" },
    { name: "tags", path: "/tags" },
    { name: "tag", path: "/tags/howto" },
    { name: "search", path: "/search?query=Fridays" },
    {
      name: "search-filtered",
      path: `/search?query=Frydays&collection=${collection.split("/").at(-1)}&status=published`,
    },
    { name: "search-nothing", path: "/search?query=unheardof&tag=howto" },
    { name: "search-empty", path: "/search" },
    { name: "not-found", path: "/documents/018f0000-0000-7000-8000-000000000000" },
    { name: "help", path: "/help" },
    {
      name: "shortcuts",
      path: "/",
      reach: async (page) => {
        await page.keyboard.press("?");
        await dialog(page);
      },
    },
    { name: "logged-in", path: "/logged-in" },
    {
      name: "quick-open",
      path: document,
      reach: async (page) => {
        await page.keyboard.press("Control+k");
        await page.keyboard.type("Deploying");
        // The document and the entry that searches everything; before that, the list of recent documents may still show.
        await page.getByRole("menuitem").filter({ hasText: "Deploying" }).nth(1).waitFor();
        // The field names the chosen entry of the list before, until the new list has one.
        await page.waitForFunction(() => {
          const chosen = globalThis.document.activeElement?.getAttribute("aria-activedescendant");
          return typeof chosen !== "string" || globalThis.document.getElementById(chosen) !== null;
        });
        await page.locator("[role=dialog] [role=status]:not(:empty)").waitFor({ state: "attached" });
      },
    },
    {
      name: "actions",
      path: document,
      reach: async (page, messages) => {
        await page.getByRole("main").getByRole("button", { name: messages.actions }).click();
        await page.getByRole("menuitem").first().waitFor();
      },
    },
    {
      name: "account",
      path: "/",
      reach: async (page, messages) => {
        await page.getByRole("button", { name: messages.account }).click();
        await page.getByRole("menuitem").first().waitFor();
      },
    },
    fromMenu("rename", ({ renameAction }) => renameAction),
    fromMenu("emoji", ({ emojiAction }) => emojiAction),
    fromMenu("tags-of-document", ({ tagsAction }) => tagsAction, listed("hidden")),
    fromMenu("move", ({ moveAction }) => moveAction, listed("Vault")),
    {
      name: "destroy",
      path: "/trash",
      reach: async (page, messages) => {
        await page.getByRole("button", { name: messages.destroy }).first().click();
        await dialog(page);
      },
    },
  ];
}

const heading = (page: Page, name: string): Promise<void> => page.getByRole("heading", { name }).waitFor();

/** Opens a screen and waits until it is complete. */
export async function openScreen(
  { origin }: Site,
  page: Page,
  { path, reach }: ScreenCase,
  messages: Messages,
): Promise<void> {
  await page.goto(`${origin}${path}`);
  await page.locator("h1, input[aria-label]").first().waitFor({ timeout });
  // The service answers a missing document and a finished log-in without the app.
  if ((await page.locator("#boot").count()) > 0) {
    await started(page);
    await settled(page);
  }
  await reach?.(page, messages);
}
